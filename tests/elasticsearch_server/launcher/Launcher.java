// SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
//
// SPDX-License-Identifier: Apache-2.0
package launcher;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/**
 * Starts the node whose home is the first argument and whose settings are in {@code config/elasticsearch.yml} there.
 *
 * <p>Elastic's own launcher is not published. The node lives as long as somebody holds this process's standard input
 * open, so that it can't outlive the tests that started it, however they end. SIGTERM closes it in good order.
 */
public final class Launcher {
    private Launcher() {}

    public static void main(String[] arguments) throws Exception {
        LogConfigurator.configureESLogging(); // before anything that asks for a logger
        Path home = Path.of(arguments[0]);
        Settings settings = Settings.builder().put(Environment.PATH_HOME_SETTING.getKey(), home).build();
        Environment environment =
                InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> "node");
        LogConfigurator.configure(environment, true);
        PluginsLoader plugins = PluginsLoader.createPluginsLoader(
                PluginsLoader.loadModulesBundles(environment.modulesDir()),
                PluginsLoader.loadPluginsBundles(environment.pluginsDir()),
                Map.of());
        Node node = new Node(environment, plugins);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node), "close-node"));
        node.start();
        System.in.transferTo(OutputStream.nullOutputStream());
        Runtime.getRuntime().halt(1);
    }

    private static void close(Node node) {
        try {
            node.prepareForClose();
            node.close();
            node.awaitClose(10, TimeUnit.SECONDS);
        } catch (Exception failure) {
            failure.printStackTrace();
        }
    }
}
