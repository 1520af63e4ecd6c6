package org.braid.hdfs.coordinator;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.GroupMappingServiceProvider;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Groups that are asked for over a slow network, as LDAP's. HDFS asks for them in the middle of a
 * call, after Braid has looked at it and before HDFS takes its lock.
 */
public final class SlowGroups implements GroupMappingServiceProvider {
  private static final long MOST_SECONDS = 120;
  private static final int ATTEMPTS = 50;

  private static volatile String method = "";
  private static final String MAPPING = "hadoop.security.group.mapping";
  private static volatile String user = "";
  private static volatile CountDownLatch entered = new CountDownLatch(1);
  private static volatile CountDownLatch release = new CountDownLatch(1);

  /**
   * Has all of this JVM ask here for groups, whatever other tests gave its users; returns the
   * settings of a cluster that does so, too.
   */
  static Map<String, String> use() {
    Map<String, String> settings = Map.of(MAPPING, SlowGroups.class.getName());
    set(settings);
    return settings;
  }

  /** Has this JVM ask the system again. */
  static void useNoMore() {
    set(Map.of());
  }

  private static void set(Map<String, String> settings) {
    Configuration conf = new Configuration();
    settings.forEach(conf::set);
    UserGroupInformation.reset();
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
    UserGroupInformation.setConfiguration(conf);
  }

  /** What a client does. */
  interface Work {
    void run() throws Exception;
  }

  /**
   * Begins a call, and returns when it waits for the groups of its user. Others ask for them in the
   * same call, and they are remembered for a moment: then it is begun again.
   *
   * @param before what is done before the call, each time
   * @param in the class and method in which it is to wait, as {@code FSNamesystem.concat}
   */
  static CompletableFuture<Void> begin(Work before, String in, String who, Work work)
      throws Exception {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      before.run();
      CompletableFuture<Void> call = begin(in, who, work);
      if (entered.getCount() == 0) {
        return call;
      }
      call.get();
    }
    throw new IllegalStateException("the call ended without asking for groups in " + in);
  }

  private static CompletableFuture<Void> begin(String in, String who, Work work) {
    entered = new CountDownLatch(1);
    release = new CountDownLatch(1);
    user = who;
    method = in;
    Groups groups = Groups.getUserToGroupsMappingService();
    groups.refresh();
    CompletableFuture<Void> done =
        CompletableFuture.runAsync(
            () -> {
              try {
                work.run();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    while (!done.isDone() && entered.getCount() > 0) {
      groups.refresh();
      Thread.onSpinWait();
    }
    return done;
  }

  /** Lets the call that waits go on, and waits for its end. */
  static void end(CompletableFuture<Void> call) throws Exception {
    goOn();
    call.get(MOST_SECONDS, TimeUnit.SECONDS);
  }

  /** Lets the call that waits go on. */
  static void goOn() {
    method = "";
    release.countDown();
  }

  @Override
  public List<String> getGroups(String name) {
    String wanted = method;
    if (!wanted.isEmpty() && name.equals(user) && isIn(wanted)) {
      method = "";
      entered.countDown();
      try {
        release.await(MOST_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return List.of(name + "s");
  }

  private static boolean isIn(String name) {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        (frame.getClassName() + "." + frame.getMethodName()).endsWith("." + name)));
  }

  @Override
  public Set<String> getGroupsSet(String name) {
    return Set.copyOf(getGroups(name));
  }

  @Override
  public void cacheGroupsRefresh() {}

  @Override
  public void cacheGroupsAdd(List<String> groups) {}
}
