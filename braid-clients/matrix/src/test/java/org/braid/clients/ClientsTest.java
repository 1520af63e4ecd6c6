package org.braid.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.braid.clients.probe.Probe;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs with Hadoops of their own read converted files in all ways, through Braid's client and
 * through HDFS's: as long as nothing is lost, without a node, and without it while a daemon
 * rebuilds what they wait for.
 */
final class ClientsTest {
  private static final int LENGTH = 40 * (64 << 10) + 777;
  private static final int LINES = 30_000;

  /** Programs whose own classes are newer than Java 11. */
  private static final Set<String> NEED_17 = Set.of("hadoop-client-3.5.0", "spark-4.0");

  private static final Path TARGET = Path.of("target").toAbsolutePath();

  /** A part of the names of programs, or {@code all}; nothing: those of the main build. */
  private static final String CLIENTS = System.getProperty("braid.clients", "");

  /** The same for versions of servers. */
  private static final String SERVERS = System.getProperty("braid.servers", "");

  private static final boolean ALL = !CLIENTS.isEmpty();

  /** The directory of an older JVM; nothing: this one alone. */
  private static final String OLDER = System.getProperty("braid.clients.java", "");

  /** A jar of Braid's client of an earlier build; nothing: none. */
  private static final String EARLIER = System.getProperty("braid.client.old", "");

  /** An option of that JVM. */
  private static final String OLDER_OPTION = System.getProperty("braid.clients.option", "");

  /** HDFS's client asks again for a lost block after a part of this, several times. */
  private static final String QUICK = "dfs.client.retry.window.base=30";

  private static final long SEED = Seeds.random(ClientsTest.class).nextInt(1 << 20);

  @TempDir private Path directory;

  /** Where what a program starts runs. */
  private enum Tasks {
    /** In the program itself. */
    WITHIN(""),
    /** In JVMs that Spark's driver starts. */
    BESIDE(""),
    /** In containers of YARN's; the driver in the program. */
    YARN(", on YARN"),
    /** In containers of YARN's, the driver, too. */
    YARN_WITH_DRIVER(", driver on YARN");

    private final String place;

    Tasks(String place) {
      this.place = place;
    }

    boolean onYarn() {
      return this == YARN || this == YARN_WITH_DRIVER;
    }
  }

  /**
   * What programs talk to.
   *
   * @param version of NameNode and DataNodes
   * @param uri of the NameNode
   */
  private record Servers(String version, String uri, MatrixYarn yarn) {}

  /** What is lost. */
  private enum State {
    HEALTHY,
    LOST,
    LOST_WITH_DAEMON
  }

  /**
   * A program.
   *
   * @param name of its Hadoop, its Java and its client
   * @param braid whether it reads through Braid's client
   * @param jar of Braid's, where it is not on the class path but among those of a job; else empty
   * @param path its files on HDFS
   * @param place the directory of its own jars
   * @param tasks where its tasks run
   */
  private record Client(
      String name,
      boolean braid,
      Path java,
      String classPath,
      String jar,
      String path,
      Path place,
      Tasks tasks) {
    boolean isSpark() {
      return name.startsWith("spark");
    }

    /** What it has in common with the program that has the same Hadoop and Java without Braid. */
    List<Path> hadoop() {
      return List.of(place, java);
    }
  }

  @Test
  void allClientsReadAllServers() throws Exception {
    Map<String, Map<String, String>> table = new LinkedHashMap<>();
    Map<String, String> faults = new TreeMap<>();
    Path page = TARGET.resolve("clients.md");
    Files.deleteIfExists(page); // or one that ends early would leave that of the run before
    for (Map.Entry<String, String> server : servers().entrySet()) {
      String name = "server-" + server.getKey();
      try (Program hdfs =
          MatrixServer.start(
              server.getValue(), directory.resolve(name), TARGET.resolve(name + ".err"))) {
        String uri = hdfs.answer();
        List<Client> clients = clients();
        boolean jobs = clients.stream().anyMatch(client -> client.tasks().onYarn());
        try (MatrixYarn yarn = new MatrixYarn(directory.resolve("yarn-" + server.getKey()))) {
          if (jobs) {
            yarn.start(uri, TARGET);
          }
          check(new Servers(server.getKey(), uri, yarn), hdfs, clients, table, faults);
        }
      }
    }
    Files.writeString(page, markdown(table));
    assertEquals(Map.of(), faults, "seed " + SEED);
  }

  private void check(
      Servers servers,
      Program hdfs,
      List<Client> clients,
      Map<String, Map<String, String>> table,
      Map<String, String> faults)
      throws Exception {
    Map<Client, String> sums = new LinkedHashMap<>();
    for (Client client : clients) {
      sums.put(
          client, hdfs.tell("write " + client.path() + " " + SEED + " " + LENGTH + " " + LINES));
      if (client.isSpark()) {
        run(servers, client, State.HEALTHY, sums.get(client), "write");
      }
    }
    String paths = clients.stream().map(Client::path).collect(Collectors.joining(" "));
    hdfs.tell("convert " + paths);
    hdfs.tell("settle " + paths);
    Map<List<Path>, Map<String, String>> stock = new HashMap<>();
    for (State state : State.values()) {
      switch (state) {
        case HEALTHY -> {}
        case LOST -> hdfs.tell("lose " + paths);
        case LOST_WITH_DAEMON -> hdfs.tell("watch");
      }
      Map<Client, Map<String, String>> said = new LinkedHashMap<>();
      for (Client client : clients) {
        if (!ALL && !client.braid() && state == State.LOST) {
          continue; // it can only fail, slowly
        }
        Map<String, String> ways = run(servers, client, state, sums.get(client), "read");
        said.put(client, ways);
        if (!client.braid() && state == State.HEALTHY) {
          stock.put(client.hadoop(), ways);
        }
      }
      String column =
          servers.version() + ", " + state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      said.forEach(
          (client, ways) -> {
            boolean mayFail = !client.braid() && state == State.LOST;
            Map<String, String> there = stock.getOrDefault(client.hadoop(), Map.of());
            Map<String, String> bad = Outcomes.bad(ways, there, mayFail);
            if (!mayFail && Outcomes.right(ways) < 7) {
              bad.put("all", "said only " + ways);
            }
            bad.forEach((way, why) -> faults.put(client.name() + ", " + column + ", " + way, why));
            table
                .computeIfAbsent(client.name(), name -> new LinkedHashMap<>())
                .put(column, cell(ways, bad));
          });
    }
  }

  private static String cell(Map<String, String> ways, Map<String, String> bad) {
    long absent =
        ways.entrySet().stream()
            .filter(way -> Outcomes.isAbsent(way.getValue()) && !bad.containsKey(way.getKey()))
            .count();
    String failed = bad.isEmpty() ? "" : ", not " + String.join(", ", bad.keySet());
    return Outcomes.right(ways) + " of " + (ways.size() - absent) + failed;
  }

  private Map<String, String> run(
      Servers servers, Client client, State state, String sum, String what) throws Exception {
    Path complaints =
        TARGET.resolve(
            "client-%s-%s-%s-%s.err"
                .formatted(client.path().substring(1), servers.version(), state, what));
    List<String> options = new ArrayList<>(List.of("-Xmx1g"));
    if (client.java().toString().equals(OLDER)) {
      if (!OLDER_OPTION.isEmpty()) {
        options.add(OLDER_OPTION);
      }
    } else {
      Stream.of("lang", "nio", "util", "net", "lang.invoke", "util.concurrent")
          .forEach(name -> options.add("--add-opens=java.base/java." + name + "=ALL-UNNAMED"));
      options.add("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
    }
    List<String> command = new ArrayList<>();
    if (client.isSpark()) {
      command.addAll(submit(client, options));
    } else {
      command.add(Probe.class.getName());
    }
    command.addAll(
        List.of(
            servers.uri(),
            client.path(),
            Long.toString(SEED),
            Integer.toString(LENGTH),
            Integer.toString(LINES),
            sum,
            client.braid() ? "braid" : "stock",
            QUICK));
    if (!client.jar().isEmpty() && !client.isSpark()) {
      command.add(Probe.JAR + "=" + client.jar());
    }
    if (client.isSpark()) {
      command.add(what);
    }
    String classPath = client.classPath();
    Map<String, String> variables = new HashMap<>(client.isSpark() ? spark(client) : Map.of());
    if (client.tasks().onYarn()) {
      classPath = servers.yarn().configuration() + File.pathSeparator + classPath;
      variables.put("HADOOP_CONF_DIR", servers.yarn().configuration());
    }
    List<String> lines;
    try (Program program =
        new Program(client.java(), options, classPath, complaints, variables, command)) {
      lines = new ArrayList<>(program.lines());
    }
    if (client.tasks().onYarn()) {
      lines.addAll(servers.yarn().said(complaints));
    }
    Map<String, String> ways = new LinkedHashMap<>();
    for (String line : lines) {
      int space = line.indexOf(' ');
      if (space > 0 && !line.startsWith("WARNING: ")) { // log4j of its JVM
        ways.put(line.substring(0, space), line.substring(space + 1));
      }
    }
    long frames = Program.frames(complaints);
    if (frames > 0) {
      ways.put("log", "failed: " + frames + " frames of Braid's in " + complaints);
    }
    return ways;
  }

  /** Submits a job to a cluster inside the program, to one that it starts, or to YARN. */
  private static List<String> submit(Client client, List<String> options) throws IOException {
    List<String> words = new ArrayList<>(List.of("org.apache.spark.deploy.SparkSubmit"));
    words.addAll(List.of("--class", "org.braid.clients.spark.SparkProbe"));
    String jvm =
        options.stream()
            .filter(option -> !option.startsWith("-Xm"))
            .collect(Collectors.joining(" ", "-XX:TieredStopAtLevel=1 ", ""));
    List<String> settings = new ArrayList<>();
    switch (client.tasks()) {
      case WITHIN -> words.addAll(List.of("--master", "local[2]"));
      case BESIDE -> words.addAll(List.of("--master", "local-cluster[2,1,768]"));
      case YARN, YARN_WITH_DRIVER -> {
        boolean driver = client.tasks() == Tasks.YARN_WITH_DRIVER;
        words.addAll(List.of("--master", "yarn", "--deploy-mode", driver ? "cluster" : "client"));
        settings.add("spark.yarn.jars=local:" + client.place() + "/*");
        settings.add("spark.yarn.maxAppAttempts=1");
        // Where the driver is elsewhere, the application master has no jars of the job without it.
        settings.add("spark.driver.extraClassPath=" + Path.of(client.jar()).getFileName());
        settings.add("spark.executor.instances=2");
        settings.add("spark.yarn.appMasterEnv.JAVA_HOME=" + client.java());
        settings.add("spark.executorEnv.JAVA_HOME=" + client.java());
        settings.add((driver ? "spark.driver" : "spark.yarn.am") + ".extraJavaOptions=" + jvm);
      }
    }
    if (client.tasks() != Tasks.WITHIN) {
      settings.add("spark.executor.memory=768m");
      settings.add("spark.executor.extraJavaOptions=" + jvm);
      words.addAll(List.of("--jars", client.jar()));
    }
    settings.forEach(setting -> words.addAll(List.of("--conf", setting)));
    words.add(client.place().resolve(jar(client, "braid-clients-spark-")).toString());
    return words;
  }

  /** The name of a jar of its own that begins so. */
  private static String jar(Client client, String begin) throws IOException {
    try (Stream<Path> jars = Files.list(client.place())) {
      return jars.map(jar -> jar.getFileName().toString())
          .filter(name -> name.startsWith(begin))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Where Spark's JVMs find what they need. */
  private Map<String, String> spark(Client client) throws IOException {
    Path home = directory.resolve("home" + client.path());
    if (!Files.exists(home)) {
      Files.createDirectories(home);
      Files.createSymbolicLink(home.resolve("jars"), client.place());
    }
    return Map.of(
        "SPARK_HOME", home.toString(),
        "SPARK_SCALA_VERSION", jar(client, "spark-core_").replaceAll(".*_|-.*", ""),
        "SPARK_LOCAL_DIRS", home.resolve("local").toString(),
        "SPARK_LOCAL_IP", "127.0.0.1",
        "JAVA_HOME", client.java().toString());
  }

  private static Map<String, String> servers() throws IOException {
    Map<String, String> servers = ClassPaths.servers();
    servers
        .keySet()
        .removeIf(
            version ->
                !version.contains(SERVERS)
                    || (!ALL && !ClassPaths.hadoop(version).equals(ClassPaths.OWN_VERSION)));
    return servers;
  }

  private static List<Client> clients() throws IOException {
    Map<String, Path> places = new LinkedHashMap<>();
    for (Path place : ClassPaths.below(TARGET.resolve("clients"), "")) {
      places.put(place.getFileName().toString(), place);
    }
    if (ALL) {
      for (Path place :
          ClassPaths.below(Path.of("..").toAbsolutePath().normalize(), "target/client")) {
        places.put(place.getParent().getParent().getFileName().toString(), place);
      }
    }
    List<Client> clients = new ArrayList<>();
    for (Map.Entry<String, Path> place : places.entrySet()) {
      add(clients, place.getKey(), Program.home(), place.getValue());
      if (!OLDER.isEmpty() && !NEED_17.contains(place.getKey())) {
        String name = place.getKey() + " on Java " + Program.version(Path.of(OLDER));
        add(clients, name, Path.of(OLDER), place.getValue());
      }
    }
    clients.removeIf(client -> ALL && !CLIENTS.equals("all") && !client.name().contains(CLIENTS));
    return clients;
  }

  private static void add(List<Client> clients, String name, Path java, Path place)
      throws IOException {
    String own = ClassPaths.jars(place) + File.pathSeparator + ClassPaths.probe();
    String path = "/" + name.replace(' ', '-');
    if (!name.contains("2.10")) {
      String jar = ClassPaths.braid(java.toString().equals(OLDER) ? "-java8.jar" : "SNAPSHOT.jar");
      String first = jar + File.pathSeparator + own;
      clients.add(
          new Client(
              name + " with Braid", true, java, first, "", path + "-braid", place, Tasks.WITHIN));
      if (!EARLIER.isEmpty() && java.equals(Program.home())) {
        clients.add(
            new Client(
                name + " with Braid of an earlier build",
                true,
                java,
                EARLIER + File.pathSeparator + own,
                "",
                path + "-earlier",
                place,
                Tasks.WITHIN));
      }
      for (Tasks tasks : amongJars(name)) {
        clients.add(
            new Client(
                name + " with Braid among a job's jars" + tasks.place,
                true,
                java,
                own,
                jar,
                path + "-jar-" + tasks.name().toLowerCase(Locale.ROOT),
                place,
                tasks));
      }
    }
    clients.add(new Client(name, false, java, own, "", path, place, Tasks.WITHIN));
  }

  /** Where the tasks of jobs run that have Braid's jar among theirs. */
  private static List<Tasks> amongJars(String name) {
    if (!ALL) {
      return List.of();
    }
    if (name.startsWith("spark")) {
      return List.of(Tasks.BESIDE, Tasks.YARN, Tasks.YARN_WITH_DRIVER);
    }
    return name.startsWith("hadoop-client-3.3.4") ? List.of(Tasks.WITHIN) : List.of();
  }

  private static String markdown(Map<String, Map<String, String>> table) {
    List<String> columns = table.values().iterator().next().keySet().stream().toList();
    StringBuilder text = new StringBuilder("| client | " + String.join(" | ", columns) + " |\n");
    text.append("|---".repeat(columns.size() + 1)).append("|\n");
    table.forEach(
        (client, cells) ->
            text.append("| ")
                .append(client)
                .append(" | ")
                .append(
                    columns.stream()
                        .map(column -> cells.getOrDefault(column, ""))
                        .collect(Collectors.joining(" | ")))
                .append(" |\n"));
    return text.toString();
  }
}
