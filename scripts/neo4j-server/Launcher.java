import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import org.neo4j.configuration.GraphDatabaseInternalSettings;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.config.Setting;

/**
 * A Neo4j Community server that speaks Bolt on this machine only: {@code java -cp 'lib/*' Launcher.java HOME PORT [GDS]}.
 *
 * <p>GDS is a folder with the jars of the Graph Data Science library, which must be on the class path too.
 *
 * <p>The password of the user neo4j comes from the environment variable GRAPHMINE_NEO4J_PASSWORD and is set anew at each
 * start. The line "Bolt is ready" says that a client can log in. SIGTERM shuts the server down cleanly.
 */
public final class Launcher {
    private static final String HOST = "127.0.0.1";
    private static final long PAGE_CACHE = 1L << 30;
    private static final Setting<?> QUIET_PERIOD = GraphDatabaseInternalSettings.netty_server_shutdown_quiet_period;

    public static void main(String[] args) throws InterruptedException {
        var home = Path.of(args[0]);
        var port = Integer.parseInt(args[1]);
        var password = System.getenv("GRAPHMINE_NEO4J_PASSWORD");
        var address = new SocketAddress(HOST, port);
        // Else Bolt lingers for ten seconds at shutdown. Neo4j 5 counts seconds here, later ones take a duration.
        Object none = QUIET_PERIOD.defaultValue() instanceof Duration ? Duration.ZERO : 0;

        var builder = new DatabaseManagementServiceBuilder(home)
                .setConfig(BoltConnector.enabled, true)
                .setConfig(BoltConnector.listen_address, address)
                .setConfig(BoltConnector.advertised_address, address)
                .setConfig(GraphDatabaseSettings.auth_enabled, true)
                .setConfig(GraphDatabaseSettings.udc_enabled, false)
                .setConfig(GraphDatabaseSettings.pagecache_memory, PAGE_CACHE)
                .setConfig(GraphDatabaseSettings.preallocate_logical_logs, false)
                .setConfig(Map.of(QUIET_PERIOD, none));
        if (args.length > 2) {
            builder.setConfig(GraphDatabaseSettings.plugin_dir, Path.of(args[2]))
                    .setConfig(GraphDatabaseSettings.procedure_unrestricted, List.of("gds.*"));
        }
        var server = builder.build();
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));

        try {
            // A password equal to the last one is refused, so another stands in for a moment.
            setPassword(server, UUID.randomUUID().toString());
            setPassword(server, password);
        } catch (RuntimeException error) {
            error.printStackTrace();
            System.exit(1);
        }
        System.out.println("Bolt is ready on " + HOST + ":" + port);
        new CountDownLatch(1).await();
    }

    private static void setPassword(DatabaseManagementService server, String password) {
        server.database("system").executeTransactionally(
                "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED", Map.of("password", password));
    }
}
