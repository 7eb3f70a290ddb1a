# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The compose files, held to the specification, to the image and to the code."""

import json
import os
import ssl
import subprocess
import sys
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import elasticsearch
import pytest
import trustme

from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import index_template
from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.serving.settings import ServiceSettings
from elasticsearch_server.distribution import VERSION
from haystack_integrations.document_stores.elasticsearch_nodes import nodes

REPOSITORY = Path(__file__).parents[2]
FILES = ("compose.yaml", "compose.cluster.yaml")
OWN = ("index", "answer")
PASSWORDS = {"ELASTIC_PASSWORD": "of-elastic", "ANSWER_PASSWORD": "of-the-service"}
SERVERS = {"compose.yaml": ("elasticsearch",), "compose.cluster.yaml": ("es01", "es02", "es03")}
each_file = pytest.mark.parametrize("file", FILES)


@each_file
def test_it_is_valid_and_needs_no_password_that_is_not_asked_for(compose, file):
    services = compose(file, PASSWORDS)["services"]
    assert set(OWN) < set(services)
    # A misspelt one is no error for the specification.
    for name, service in services.items():
        for other in service.get("depends_on", {}):
            assert other in services, f"{name} waits for {other}"


@pytest.mark.parametrize("unset", ["ELASTIC_PASSWORD", "ANSWER_PASSWORD"])
def test_no_password_has_a_default(compose, unset):
    given = {name: password for name, password in PASSWORDS.items() if name != unset}
    with pytest.raises(Exception, match=f"{unset}: set it"):
        compose("compose.cluster.yaml", given)


@each_file
def test_the_servers_are_those_that_the_tests_run_and_the_client_talks_to(compose, file):
    services = compose(file, PASSWORDS)["services"]
    images = {service["image"] for name, service in services.items() if name not in OWN}
    assert images == {f"docker.elastic.co/elasticsearch/elasticsearch:{VERSION}"}
    assert VERSION.split(".")[0] == str(elasticsearch.__version__[0])


@each_file
def test_the_image_has_the_packages_version(compose, file):
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for name in OWN:
        service = compose(file, PASSWORDS)["services"][name]
        assert service["image"] == f"answer-selection:{project['version']}"
        build = service["build"]
        assert (REPOSITORY / "docker" / build["context"]).resolve() == REPOSITORY
        assert (REPOSITORY / build["dockerfile"]).is_file()
        dockerfile = (REPOSITORY / build["dockerfile"]).read_text(encoding="utf-8")
        for argument, default in build["args"].items():
            assert f"ARG {argument}={default}\n" in dockerfile


@each_file
def test_the_service_is_published_to_this_machine_alone_and_the_servers_not_at_all(compose, file, image):
    services = compose(file, PASSWORDS)["services"]
    published = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert published == {"answer": [f"127.0.0.1:1416:{image.only('EXPOSE')}"]}


@each_file
def test_the_service_has_the_time_to_finish_what_is_in_progress(compose, file):
    grace = compose(file, PASSWORDS)["services"]["answer"]["stop_grace_period"]
    assert int(grace.removesuffix("s")) > ServiceSettings().drain_timeout


@each_file
def test_the_containers_of_ours_may_do_little(compose, file, image):
    for name in OWN:
        service = compose(file, PASSWORDS)["services"][name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        # All that the image writes is in a volume, and /tmp in memory.
        assert f"answer-selection:{image.only('VOLUME')}" in service["volumes"]
        assert service["tmpfs"] == ["/tmp"]


@each_file
def test_their_variables_are_those_that_the_code_reads(compose, file):
    known = {nodes.HOSTS, nodes.USERNAME, nodes.PASSWORD, nodes.CA_CERTS}
    for name in OWN:
        environment = compose(file, PASSWORDS)["services"][name]["environment"]
        assert set(environment) <= known
        hosts = environment[nodes.HOSTS].split(",")
        assert [host.split("//")[1] for host in hosts] == [f"{server}:9200" for server in SERVERS[file]]


@each_file
def test_the_bundled_faq_is_where_the_command_looks(compose, file):
    service = compose(file, PASSWORDS)["services"]["index"]
    folder, target, mode = service["volumes"][0].split(":")
    source = service["command"][1]
    assert mode == "ro"
    assert (REPOSITORY / "docker" / folder / Path(source).relative_to(target)).is_file()
    own = compose(file, {**PASSWORDS, "FAQ_FOLDER": "/home/me", "FAQ_FILE": "faq.csv"})["services"]["index"]
    assert (own["volumes"][0], own["command"][1]) == ("/home/me:/faq:ro", "/faq/faq.csv")


@each_file
def test_what_is_indexed_is_what_is_asked(compose, file):
    """Neither is told a name: that of the command is that of the pipeline."""
    from answer_selection.pipelines.commands.stores import DEFAULT_INDEX

    assert "--index" not in compose(file, PASSWORDS)["services"]["index"]["command"]
    stores = [
        component["init_parameters"]["document_store"]
        for component in pipeline_yaml.read("answer_elasticsearch")["components"].values()
        if "document_store" in component["init_parameters"]
    ]
    assert [store["init_parameters"]["index"] for store in stores] == [DEFAULT_INDEX] * 2


def test_the_service_is_let_in_as_itself_and_trusts_what_it_is_given(compose):
    services = compose("compose.cluster.yaml", PASSWORDS)["services"]
    users = {name: services[name]["environment"][nodes.USERNAME] for name in OWN}
    assert users == {"index": "elastic", "answer": "answer"}
    for name in OWN:
        folder = Path(services[name]["environment"][nodes.CA_CERTS]).parent
        assert f"ca:{folder}:ro" in services[name]["volumes"]
        # The authority's key is in the nodes' volume.
        assert not [volume for volume in services[name]["volumes"] if volume.startswith("certs:")]


def test_the_nodes_know_each_other_and_have_each_their_own(compose):
    services = compose("compose.cluster.yaml", PASSWORDS)["services"]
    names = SERVERS["compose.cluster.yaml"]
    for name in names:
        environment = services[name]["environment"]
        assert environment["node.name"] == name
        for setting in ("cluster.initial_master_nodes", "discovery.seed_hosts"):
            assert environment[setting].split(",") == list(names)
        own = [value for key, value in environment.items() if key.endswith((".key", ".certificate"))]
        assert own == [f"certs/{name}/{name}.key", f"certs/{name}/{name}.crt"] * 2
        assert f"{name}:/usr/share/elasticsearch/data" in services[name]["volumes"]


@pytest.mark.parametrize("name", ["certificates", "user"])
def test_the_linter_of_scripts_finds_nothing(compose, name):
    [script] = compose("compose.cluster.yaml", PASSWORDS)["services"][name]["command"]
    linter = Path(sys.executable).with_name("shellcheck")
    done = subprocess.run([linter, "--shell=bash", "-"], input=script, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


CERTUTIL = """\
#!{python}
# Stands for the vendor's tool, which is not published: the same files, in the same places of the same archive.
import sys, zipfile, trustme, yaml
from pathlib import Path
given = dict(zip(sys.argv[1:], sys.argv[2:]))
with zipfile.ZipFile(given["--out"], "x") as archive:
    if sys.argv[1] == "ca":
        made = trustme.CA()
        archive.writestr("ca/ca.crt", made.cert_pem.bytes())
        archive.writestr("ca/ca.key", made.private_key_pem.bytes())
    else:
        made = trustme.CA.from_pem(Path(given["--ca-cert"]).read_bytes(), Path(given["--ca-key"]).read_bytes())
        for node in yaml.safe_load(Path(given["--in"]).read_text())["instances"]:
            cert = made.issue_cert(*node["dns"], *node["ip"])
            archive.writestr(f"{{node['name']}}/{{node['name']}}.crt", cert.cert_chain_pems[0].bytes())
            archive.writestr(f"{{node['name']}}/{{node['name']}}.key", cert.private_key_pem.bytes())
"""
UNZIP = """\
#!{python}
import sys, zipfile
zipfile.ZipFile(sys.argv[-1]).extractall()
"""


@pytest.fixture
def certificates(compose, tmp_path) -> Path:
    """The folder that the script of the certificates has filled; it ran twice, as it does at a second start."""
    for name, text in {"elasticsearch-certutil": CERTUTIL, "unzip": UNZIP, "chown": "#!/bin/sh\n"}.items():
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(text.format(python=sys.executable), encoding="utf-8")
        program.chmod(0o755)
    service = compose("compose.cluster.yaml", PASSWORDS)["services"]["certificates"]
    [script] = service["command"]
    script = script.replace("/usr/share/elasticsearch/bin/", f"{tmp_path}/bin/")
    for volume in service["volumes"]:
        name, target = volume.split(":")
        (tmp_path / name).mkdir()
        script = script.replace(f" {target}/", f" {tmp_path / name}/").replace(
            f"cd {target}\n", f"cd {tmp_path / name}\n"
        )
    before = None
    for _ in range(2):
        environment = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
        subprocess.run([*service["entrypoint"], script], check=True, env=environment, timeout=300)
        made = {path: path.read_bytes() for path in (tmp_path / "certs").rglob("*") if path.is_file()}
        assert before in (None, made)
        before = made
    return tmp_path


@pytest.mark.slow
def test_every_node_gets_a_certificate_and_the_service_the_authoritys_public_part_alone(certificates):
    made = {str(path.relative_to(certificates / "certs")) for path in (certificates / "certs").glob("*/*")}
    nodes_files = {f"{name}/{name}.{end}" for name in SERVERS["compose.cluster.yaml"] for end in ("crt", "key")}
    assert made == nodes_files | {"ca/ca.crt", "ca/ca.key"}
    [public] = (certificates / "ca").iterdir()
    assert public.read_bytes() == (certificates / "certs" / "ca" / "ca.crt").read_bytes()
    assert oct(public.stat().st_mode)[-3:] == "644"
    assert {oct(path.stat().st_mode)[-3:] for path in (certificates / "certs").glob("*/*")} == {"640"}
    assert ssl.create_default_context(cafile=str(public)).get_ca_certs()


def test_the_services_user_may_read_the_index_and_no_more(compose, tmp_path):
    """The script is run against a server that only notes what it is asked: the real one's security is not published."""
    asked = []

    class Noting(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked.append((self.path, self.headers["authorization"], body))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.crt"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("es01").configure_cert(context)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Noting)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    service = compose("compose.cluster.yaml", PASSWORDS)["services"]["user"]
    [script] = service["command"]
    port = server.server_port
    script = script.replace("https://es01:9200", f"https://es01:{port}").replace("/ca/ca.crt", str(tmp_path / "ca.crt"))
    script = script.replace("curl ", f"curl --noproxy '*' --connect-to es01:{port}:127.0.0.1:{port} ")
    try:
        subprocess.run(
            [*service["entrypoint"], script], check=True, env=os.environ | service["environment"], timeout=300
        )
    finally:
        server.shutdown()
        server.server_close()
    [(role_path, authorization, role), (user_path, _, user)] = asked
    assert authorization == "Basic ZWxhc3RpYzpvZi1lbGFzdGlj"  # elastic:of-elastic
    assert (role_path, user_path) == ("/_security/role/answer", "/_security/user/answer")
    assert user == {"password": "of-the-service", "roles": ["answer"]}
    assert role["cluster"] == ["monitor"]
    [indices] = role["indices"]
    assert set(indices["privileges"]) == {"read", "view_index_metadata"}
    # The alias, and the versions behind it.
    name = pipeline_yaml.read("answer_elasticsearch")["components"]["retriever"]["init_parameters"]["document_store"]
    name = name["init_parameters"]["index"]
    assert indices["names"] == [name, *index_template(name, IndexSettings())["index_patterns"]]
