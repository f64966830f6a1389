import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/**
 * A Neo4j Community server that speaks Bolt on this machine only: {@code java -cp 'lib/*' Launcher.java HOME PORT}.
 *
 * <p>The password of the user neo4j comes from the environment variable GRAPHMINE_NEO4J_PASSWORD and is set anew at each
 * start. The line "Bolt is ready" says that a client can log in. SIGTERM shuts the server down cleanly.
 */
public final class Launcher {
    private static final String HOST = "127.0.0.1";
    private static final long PAGE_CACHE = 1L << 30;

    public static void main(String[] args) throws InterruptedException {
        var home = Path.of(args[0]);
        var port = Integer.parseInt(args[1]);
        var password = System.getenv("GRAPHMINE_NEO4J_PASSWORD");
        var address = new SocketAddress(HOST, port);

        var server = new DatabaseManagementServiceBuilder(home)
                .setConfig(BoltConnector.enabled, true)
                .setConfig(BoltConnector.listen_address, address)
                .setConfig(BoltConnector.advertised_address, address)
                .setConfig(GraphDatabaseSettings.auth_enabled, true)
                .setConfig(GraphDatabaseSettings.udc_enabled, false)
                .setConfig(GraphDatabaseSettings.pagecache_memory, PAGE_CACHE)
                .setConfig(GraphDatabaseSettings.preallocate_logical_logs, false)
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));

        server.database("system").executeTransactionally(
                "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED", Map.of("password", password));
        System.out.println("Bolt is ready on " + HOST + ":" + port);
        new CountDownLatch(1).await();
    }
}
