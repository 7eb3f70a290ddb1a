# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Small files of office formats; those that no package here writes are written by hand."""

import io
import zipfile
from collections.abc import Sequence

import openpyxl
import pptx

_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def docx(paragraphs: Sequence[tuple[str, str]]) -> bytes:
    """A DOCX file of paragraphs, each with its style ("Heading1", or "" for text); what begins with < is XML."""
    body = "".join(
        text
        if text.startswith("<")
        else f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'
        for style, text in paragraphs
    )
    # A program in another language calls its styles otherwise, but keeps the names of those that all programs have.
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/></w:style>'
        for level in (1, 2)
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_WORD}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="l1" '
        f'Type="{_OFFICE}/hyperlink" Target="rates.html" TargetMode="External"/>'
        f'<Relationship Id="s1" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "word/styles.xml": f'<w:styles xmlns:w="{_MAIN}">{styles}</w:styles>',
        "word/document.xml": f'<w:document xmlns:w="{_MAIN}" xmlns:r="{_OFFICE}"><w:body>{body}</w:body></w:document>',
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return file.getvalue()


def pptx_file(slides: Sequence[tuple[str, str]]) -> bytes:
    """A PPTX file of slides, each with title and text."""
    presentation = pptx.Presentation()
    for title, text in slides:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = text
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def xlsx(sheets: dict[str, Sequence[Sequence[object]]]) -> bytes:
    """An XLSX file of sheets, each with its rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def pdf(pages: Sequence[Sequence[tuple[str, int, str]]], *, gap: float = 3) -> bytes:
    """
    A PDF file of pages, each of lines with their font (Helvetica or Helvetica-Bold), size and text.

    From line to line it is `gap` times the size.
    """
    fonts = ("Helvetica", "Helvetica-Bold")
    objects = [f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} >>" for font in fonts]
    kids = []
    for lines in pages:
        shown, height = "", 780
        for font, size, text in lines:
            height -= gap * size
            escaped = text.replace("\\", "\\\\").replace("(", r"\(").replace(")", r"\)")
            shown += f"BT /F{fonts.index(font) + 1} {size} Tf 72 {height} Td ({escaped}) Tj ET\n"
        objects.append(f"<< /Length {len(shown)} >>\nstream\n{shown}endstream")
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent PAGES 0 R /MediaBox [0 0 595 842] /Contents {len(objects)} 0 R "
            "/Resources << /Font << /F1 1 0 R /F2 2 0 R >> >> >>"
        )
    number = len(objects) + 1
    objects = [each.replace("PAGES", str(number)) for each in objects]
    objects.append(f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>")
    objects.append(f"<< /Type /Catalog /Pages {number} 0 R >>")
    text, places = "%PDF-1.4\n", []
    for place, each in enumerate(objects, start=1):
        places.append(len(text))
        text += f"{place} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"trailer\n<< /Size {len(objects) + 1} /Root {len(objects)} 0 R >>\nstartxref\n{len(text)}\n%%EOF\n"
    return f"{text}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{end}".encode("latin-1")
