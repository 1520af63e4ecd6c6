package org.braid.hdfs.secure;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.client.BraidAbstractFileSystem;
import org.braid.hdfs.client.BraidFileSystem;
import org.braid.hdfs.testkit.job.JobRunner;

/**
 * YARN with Kerberos beside a secure cluster: a ResourceManager and a NodeManager in processes of
 * their own, with a keytab. Containers are processes of the NodeManager's.
 */
final class SecureYarn implements AutoCloseable {
  private static final String SERVICE = "yarn/" + Realm.HOST;
  private static final String JOBS = "/jobs";

  /** Where Hadoop looks for properties; the last one that it reads counts. */
  private static final List<String> SITES = List.of("core", "hdfs", "yarn", "mapred");

  private final SecureCluster cluster;
  private final Path directory;
  private final Path arguments;
  private final List<Process> processes = new ArrayList<>();

  private SecureYarn(SecureCluster cluster, Path directory) {
    this.cluster = cluster;
    this.directory = directory;
    this.arguments = directory.resolve("java.args");
  }

  /** Starts the daemons. Jobs that are submitted wait until these serve. */
  static SecureYarn start(SecureCluster cluster) throws Exception {
    Path directory = SecureCluster.fresh(SecureCluster.directory("yarn"));
    SecureYarn yarn = new SecureYarn(cluster, directory);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> yarn.started().forEach(ProcessHandle::destroyForcibly)));
    yarn.configure();
    SecureCluster.as(cluster.operator, yarn::makeDirectories);
    try {
      yarn.daemon("org.apache.hadoop.yarn.server.resourcemanager.ResourceManager");
      yarn.daemon("org.apache.hadoop.yarn.server.nodemanager.NodeManager");
      return yarn;
    } catch (IOException e) {
      yarn.close();
      throw e;
    }
  }

  private void makeDirectories() throws IOException {
    try (DistributedFileSystem fs = cluster.plain()) {
      for (String name : List.of(JOBS, JOBS + "/staging", JOBS + "/history")) {
        var made = new org.apache.hadoop.fs.Path(name);
        fs.mkdirs(made);
        fs.setPermission(made, new FsPermission((short) 01777));
      }
    }
  }

  private void configure() throws Exception {
    Path site = cluster.clientFile("yarn", properties());
    Path configuration = Files.createDirectories(directory.resolve("conf"));
    for (String name : SITES) {
      Files.copy(site, configuration.resolve(name + "-site.xml"));
    }
    List<String> path = new ArrayList<>(List.of(configuration.toString()));
    path.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    path.add(Path.of(System.getProperty("braid.yarn")).toRealPath() + File.separator + "*");
    List<String> words =
        List.of(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djava.net.preferIPv4Stack=true",
            "-Dbraid.test.fork=yarn",
            "-Djava.security.krb5.conf=" + cluster.realm.configuration("yarn.conf", "24h"),
            "-cp",
            String.join(File.pathSeparator, path));
    Files.write(arguments, words.stream().map(word -> '"' + word + '"').toList());
  }

  private Map<String, String> properties() throws Exception {
    String keytab = cluster.realm.keytab("yarn.keytab", SERVICE).toString();
    Map<String, String> all = new HashMap<>();
    for (String role : List.of("resourcemanager", "nodemanager")) {
      all.put("yarn." + role + ".principal", cluster.realm.principal(SERVICE));
      all.put("yarn." + role + ".keytab", keytab);
    }
    List<String> addresses = addresses(4);
    all.put("yarn.resourcemanager.hostname", Realm.HOST);
    all.put("yarn.resourcemanager.address", addresses.get(0));
    all.put("yarn.resourcemanager.scheduler.address", addresses.get(1));
    all.put("yarn.resourcemanager.resource-tracker.address", addresses.get(2));
    all.put("yarn.resourcemanager.admin.address", addresses.get(3));
    String any = Realm.HOST + ":0";
    all.put("yarn.resourcemanager.webapp.address", any);
    all.put("yarn.nodemanager.hostname", Realm.HOST);
    all.put("yarn.nodemanager.address", any);
    all.put("yarn.nodemanager.localizer.address", any);
    all.put("yarn.nodemanager.webapp.address", any);
    all.put("mapreduce.shuffle.port", "0");
    all.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    all.put("yarn.nodemanager.local-dirs", directory.resolve("local").toString());
    all.put("yarn.nodemanager.log-dirs", directory.resolve("logs").toString());
    all.put("hadoop.tmp.dir", directory.resolve("tmp").toString());
    all.put("yarn.nodemanager.disk-health-checker.enable", "false");
    all.put("yarn.nodemanager.container-monitor.enabled", "false");
    all.put("yarn.nodemanager.resource.memory-mb", "1536");
    all.put("yarn.scheduler.minimum-allocation-mb", "128");
    all.put(
        "yarn.resourcemanager.scheduler.class",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler");
    // Each looks for the others, and for what has ended, several times a second.
    all.put("yarn.resourcemanager.connect.retry-interval.ms", "200");
    all.put("yarn.resourcemanager.connect.max-wait.ms", "60000");
    all.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200");
    all.put("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "200");
    all.put("mapreduce.client.completion.pollinterval", "200");
    ofJobs(all);
    return all;
  }

  private void ofJobs(Map<String, String> all) {
    all.put("fs.hdfs.impl", BraidFileSystem.class.getName());
    all.put("fs.AbstractFileSystem.hdfs.impl", BraidAbstractFileSystem.class.getName());
    all.put("mapreduce.framework.name", "yarn");
    all.put("yarn.app.mapreduce.am.staging-dir", JOBS + "/staging");
    all.put(JobRunner.HISTORY, JOBS + "/history");
    // No history server: clients are content with what the ResourceManager says at the end.
    all.put("mapreduce.jobhistory.address", "");
    all.put("mapreduce.client.submit.file.replication", "3");
    all.put("mapreduce.am.max-attempts", "1");
    all.put("mapreduce.map.maxattempts", "1");
    all.put("yarn.app.mapreduce.am.resource.mb", "384");
    all.put("mapreduce.map.memory.mb", "256");
    all.put("mapreduce.task.io.sort.mb", "16");
    // The file names the class path, in place of YARN's variable.
    all.put("yarn.app.mapreduce.am.command-opts", "-Xmx256m @" + arguments);
    all.put("mapreduce.map.java.opts", "-Xmx160m @" + arguments);
  }

  private static List<String> addresses(int number) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    List<String> free = new ArrayList<>();
    try {
      for (int i = 0; i < number; i++) {
        ServerSocket socket = new ServerSocket(0);
        held.add(socket);
        free.add(Realm.HOST + ":" + socket.getLocalPort());
      }
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
    return free;
  }

  /** A program with YARN on its class path, whose user has a cache of tickets or none. */
  private ProcessBuilder program(Optional<Path> tickets, String main, String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("@" + arguments);
    command.add(main);
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // Containers have the environment of the NodeManager.
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("KRB5CCNAME");
    tickets.ifPresent(file -> builder.environment().put("KRB5CCNAME", file.toString()));
    return builder.directory(directory.toFile());
  }

  private void daemon(String main) throws IOException {
    Path log = directory.resolve(main.substring(main.lastIndexOf('.') + 1) + ".log");
    processes.add(program(Optional.empty(), main).redirectOutput(log.toFile()).start());
  }

  /** Has a user with a ticket, in a process of its own, submit a job that copies text. */
  Submitted submit(String user, String from, String to) throws Exception {
    Path log = directory.resolve(user + ".log");
    Path tickets = cluster.realm.ticketCache(user, 3600);
    Process process =
        program(Optional.of(tickets), CopyJob.class.getName(), from, to)
            .redirectOutput(log.toFile())
            .start();
    processes.add(process);
    return new Submitted(process, log);
  }

  /** A job that was submitted, and what the process of its user says. */
  record Submitted(Process process, Path log) {
    /** What is known of the job at its end. */
    List<String> end() throws Exception {
      if (!process.waitFor(5, TimeUnit.MINUTES)) {
        throw new IOException("the job does not end: " + Files.readString(log));
      }
      String said = Files.readString(log);
      int begin = said.indexOf(CopyJob.SEPARATOR);
      if (begin < 0) {
        throw new IOException("the job was not followed to its end: " + said);
      }
      return said.substring(begin).lines().skip(1).toList();
    }
  }

  /** The processes, and those that they have started. */
  private List<ProcessHandle> started() {
    return processes.stream()
        .map(Process::toHandle)
        .flatMap(handle -> Stream.concat(handle.descendants(), Stream.of(handle)))
        .toList();
  }

  @Override
  public void close() throws Exception {
    List<ProcessHandle> started = started();
    processes.forEach(Process::destroy);
    for (Process process : processes) {
      process.waitFor(10, TimeUnit.SECONDS);
    }
    started.forEach(ProcessHandle::destroyForcibly);
  }
}
