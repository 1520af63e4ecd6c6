package org.braid.lab.daemon;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The configuration of YARN and MapReduce in a lab. */
final class YarnSite {
  /** Memory of the containers of a host in MB: an application master and two tasks. */
  private static final int HOST_MB = 1152;

  private static final int MASTER_MB = 384;
  private static final int TASK_MB = 256;

  /** Tasks that may run on a host at once, beside one application master. */
  private static final int CORES = 3;

  private static final String SCHEDULER = "yarn.scheduler.capacity.";

  private YarnSite() {}

  /**
   * The properties of all daemons and clients.
   *
   * @param hosts the number of NodeManagers
   * @param arguments the file of options of the JVMs of jobs, with their class path
   */
  static Map<String, String> properties(int hosts, Path arguments) {
    Map<String, String> all = new TreeMap<>();
    all.put("yarn.resourcemanager.hostname", Daemons.NAME_NODE);
    all.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "250");
    all.put("yarn.nm.liveness-monitor.expiry-interval-ms", "10000");
    all.put("yarn.am.liveness-monitor.expiry-interval-ms", "30000");
    all.put(
        "yarn.resourcemanager.scheduler.class",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler");
    all.put(SCHEDULER + "root.queues", "default");
    all.put(SCHEDULER + "root.default.capacity", "100");
    all.put(SCHEDULER + "maximum-am-resource-percent", "0.5");
    all.put(
        SCHEDULER + "resource-calculator",
        "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator");
    // A task waits for a host of its block for four heartbeats of each host, then for its rack.
    all.put(SCHEDULER + "node-locality-delay", String.valueOf(4 * hosts));
    all.put(SCHEDULER + "rack-locality-additional-delay", String.valueOf(4 * hosts));
    all.put("yarn.scheduler.minimum-allocation-mb", "128");
    all.put("yarn.scheduler.maximum-allocation-mb", String.valueOf(HOST_MB));
    all.put("yarn.nodemanager.resource.memory-mb", String.valueOf(HOST_MB));
    all.put("yarn.nodemanager.resource.cpu-vcores", String.valueOf(CORES));
    all.put("yarn.nodemanager.vmem-check-enabled", "false");
    all.put("yarn.nodemanager.pmem-check-enabled", "false");
    all.put("yarn.nodemanager.container-monitor.enabled", "false");
    all.put("yarn.nodemanager.disk-health-checker.enable", "false");
    all.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    all.put(
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
        "org.apache.hadoop.mapred.ShuffleHandler");
    all.put("yarn.timeline-service.enabled", "false");
    all.put("mapreduce.framework.name", "yarn");
    all.put("yarn.app.mapreduce.am.staging-dir", "/jobs/staging");
    all.put("mapreduce.jobhistory.intermediate-done-dir", "/jobs/history");
    // No history server: clients are content with what the ResourceManager says at the end.
    all.put("mapreduce.jobhistory.address", "");
    all.put("mapreduce.client.submit.file.replication", "3");
    all.put("yarn.app.mapreduce.am.resource.mb", String.valueOf(MASTER_MB));
    all.put("yarn.app.mapreduce.am.command-opts", options("224m", arguments));
    all.put("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "250");
    all.put("mapreduce.map.memory.mb", String.valueOf(TASK_MB));
    all.put("mapreduce.map.java.opts", options("144m", arguments));
    all.put("mapreduce.reduce.memory.mb", String.valueOf(TASK_MB));
    all.put("mapreduce.reduce.java.opts", options("144m", arguments));
    all.put("mapreduce.task.io.sort.mb", "32");
    all.put("mapreduce.map.speculative", "false");
    all.put("mapreduce.reduce.speculative", "false");
    String java = "JAVA_HOME=" + System.getProperty("java.home", "");
    all.put("yarn.app.mapreduce.am.admin.user.env", java);
    all.put("mapreduce.admin.user.env", java);
    return all;
  }

  /** The JVM options of a container: the file names the class path, in place of YARN's variable. */
  private static String options(String heap, Path arguments) {
    return "-Xmx" + heap + " -XX:TieredStopAtLevel=1 @" + arguments;
  }

  /** The properties of a NodeManager alone. */
  static Map<String, String> ofHost(String host, Path data) {
    return Map.of(
        "yarn.nodemanager.hostname", host,
        "yarn.nodemanager.address", host + ":8041",
        "yarn.nodemanager.local-dirs", data.resolve("yarn-" + host).toString(),
        "yarn.nodemanager.log-dirs", data.resolve("yarn-logs-" + host).toString(),
        "hadoop.tmp.dir", data.resolve("tmp-yarn-" + host).toString());
  }

  /** What makes Braid's client the file system of jobs, through which they read lost blocks. */
  static Map<String, String> ofJobs() {
    return Map.of(
        "fs.hdfs.impl", "org.braid.hdfs.client.BraidFileSystem",
        "fs.AbstractFileSystem.hdfs.impl", "org.braid.hdfs.client.BraidAbstractFileSystem");
  }
}
