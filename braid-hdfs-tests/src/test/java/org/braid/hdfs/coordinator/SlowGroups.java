package org.braid.hdfs.coordinator;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.GroupMappingServiceProvider;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Timer;

/**
 * Groups that are asked for over a slow network, as LDAP's. HDFS asks for them in the middle of a
 * call, after Braid has looked at it and before HDFS takes its lock.
 */
public final class SlowGroups implements GroupMappingServiceProvider {
  private static final long MOST_SECONDS = 120;

  private static volatile String method = "";
  private static final String MAPPING = "hadoop.security.group.mapping";
  private static volatile String user = "";
  private static volatile CountDownLatch entered = new CountDownLatch(1);
  private static volatile CountDownLatch release = new CountDownLatch(1);

  /**
   * Has all of this JVM ask here for groups, each time anew, whatever other tests gave its users;
   * returns the settings of a cluster that does so, too.
   */
  static Map<String, String> use() {
    Map<String, String> settings = Map.of(MAPPING, SlowGroups.class.getName());
    set(settings, new HastyTimer());
    return settings;
  }

  /** Has this JVM ask the system again. */
  static void useNoMore() {
    set(Map.of(), new Timer());
  }

  private static void set(Map<String, String> settings, Timer timer) {
    Configuration conf = new Configuration();
    settings.forEach(conf::set);
    UserGroupInformation.reset();
    try {
      Field groups = Groups.class.getDeclaredField("GROUPS");
      groups.setAccessible(true);
      groups.set(null, new Groups(conf, timer));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    UserGroupInformation.setConfiguration(conf);
  }

  /** To this one a day passes from one look to the next, so that nothing is remembered. */
  private static final class HastyTimer extends Timer {
    private final AtomicLong days = new AtomicLong();

    @Override
    public long monotonicNow() {
      return TimeUnit.DAYS.toMillis(days.incrementAndGet());
    }
  }

  /** What a client does. */
  interface Work {
    void run() throws Exception;
  }

  /**
   * Begins a call, and returns when it waits for the groups of its user.
   *
   * @param in the class and method in which it is to wait, as {@code FSNamesystem.concat}
   */
  static CompletableFuture<Void> begin(String in, String who, Work work) throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    entered = waits;
    release = new CountDownLatch(1);
    user = who;
    method = in;
    CompletableFuture<Void> call =
        CompletableFuture.runAsync(
            () -> {
              try {
                work.run();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    CompletableFuture<Void> over = call.whenComplete((done, failure) -> waits.countDown());
    if (!waits.await(MOST_SECONDS, TimeUnit.SECONDS) || call.isDone()) {
      over.get(0, TimeUnit.SECONDS);
      throw new IllegalStateException("the call ended without asking for groups in " + in);
    }
    return call;
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
