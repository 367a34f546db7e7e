import java.nio.file.Path;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/**
 * Holds a Neo4j Community database open on a Bolt port of this machine until it is told to stop.
 *
 * <p>Arguments: the home directory and a file of settings, as neo4j.conf.
 */
public final class ServeNeo4j {
    public static void main(String[] arguments) throws InterruptedException {
        DatabaseManagementService service =
                new DatabaseManagementServiceBuilder(Path.of(arguments[0]))
                        .loadPropertiesFromFile(Path.of(arguments[1]))
                        .build();
        Runtime.getRuntime().addShutdownHook(new Thread(service::shutdown));
        System.out.println("ready");
        System.out.flush();
        Thread.currentThread().join();
    }
}
