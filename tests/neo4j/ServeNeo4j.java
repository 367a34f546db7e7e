import java.nio.file.Path;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/**
 * Holds a Neo4j Community database open on a Bolt port of this machine until it is told to stop.
 *
 * <p>Arguments: the home directory, the port, and "auth" where a password shall be asked for.
 */
public final class ServeNeo4j {
    public static void main(String[] arguments) throws InterruptedException {
        Path home = Path.of(arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        boolean demandsPassword = arguments.length > 2 && arguments[2].equals("auth");

        DatabaseManagementService service =
                new DatabaseManagementServiceBuilder(home)
                        .setConfig(BoltConnector.enabled, true)
                        .setConfig(
                                BoltConnector.listen_address, new SocketAddress("127.0.0.1", port))
                        .setConfig(GraphDatabaseSettings.auth_enabled, demandsPassword)
                        .setConfig(GraphDatabaseSettings.pagecache_memory, 128L * 1024 * 1024)
                        .build();
        Runtime.getRuntime().addShutdownHook(new Thread(service::shutdown));
        System.out.println("ready");
        System.out.flush();
        Thread.currentThread().join();
    }
}
