package org.braid.lab.namespace;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.braid.experiment.ExperimentException;
import org.jspecify.annotations.Nullable;

/**
 * The mount, network, host name and process namespaces of a lab and, without root, a user
 * namespace. A shell, the first process inside, holds them. When the shell or its parent ends for
 * any reason, the kernel kills all processes inside, and namespaces, mounts and network devices end
 * with the last one.
 *
 * <p>The shell waits for the end of its input: it ends with the process that created the namespaces
 * unless that called {@link #keep}.
 */
public final class Namespaces {
  /** Prefix of the role of a process on its command line. */
  public static final String ROLE = "-Dbraid.lab.role=";

  private static final String READY = "braid-lab: ready";
  private static final long READY_MILLIS = 20_000;
  private static final long END_MILLIS = 30_000;

  private static final String HOLD =
      """
      set -e
      dir=$0
      room=$1
      mount -t proc proc /proc
      mount -t tmpfs -o mode=755,size=4m braid-lab /run
      mkdir /run/netns
      [ -z "$room" ] || mount -t tmpfs -o "mode=755,size=$room" braid-lab "$dir/data"
      mount --bind "$dir/hosts" /etc/hosts
      # Nothing outside can be reached, and nobody is to wait for a name server.
      [ ! -e /etc/resolv.conf ] || mount --bind "$dir/resolv.conf" /etc/resolv.conf
      ip link set dev lo up
      ip link add name probe type bridge
      tc qdisc replace dev probe root tbf rate 1mbit burst 131072 latency 50ms
      ip link del dev probe
      echo "braid-lab: ready"
      word=
      while read -r word && [ "$word" != keep ]; do :; done
      [ "$word" = keep ] || exit 0
      # Not one long sleep: the shell also collects processes whose parents have ended.
      while :; do sleep 3600; done
      """;

  /**
   * Enters the network namespace of a host in a session of its own: Ctrl-C reaches the caller
   * alone, which then ends the program.
   */
  private static final String IN_HOST =
      """
      exec setsid nsenter --net=/run/netns/"$0" unshare --uts \
      sh -c 'hostname "$0" 2>/dev/null || :; exec "$@"' "$0" "$@\"""";

  private final Identity identity;
  private final @Nullable Process own;

  /**
   * Identifies namespaces across processes.
   *
   * @param keeper the process whose end ends the namespaces
   * @param keeperStarted its start time, which tells it from a later process with the same id
   * @param first the first process inside, by its id outside
   * @param firstStarted its start time
   * @param user whether there is a user namespace
   */
  public record Identity(
      long keeper, long keeperStarted, long first, long firstStarted, boolean user) {
    /** Whether the keeper or the first process still runs. */
    public boolean alive() {
      return runs(keeper, keeperStarted) || runs(first, firstStarted);
    }

    private static boolean runs(long pid, long since) {
      OptionalLong started = Proc.started(pid);
      return started.isPresent() && started.getAsLong() == since;
    }

    private void kill() {
      if (runs(keeper, keeperStarted)) {
        ProcessHandle.of(keeper).ifPresent(ProcessHandle::destroyForcibly);
      }
      if (runs(first, firstStarted)) {
        ProcessHandle.of(first).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  private Namespaces(Identity identity, @Nullable Process own) {
    this.identity = identity;
    this.own = own;
  }

  /**
   * Creates the namespaces of a lab.
   *
   * @param directory a directory with the files {@code hosts} and {@code resolv.conf}, which
   *     replace the system's inside, and the empty directory {@code data}
   * @param room bytes of memory for files in {@code data}, visible inside alone; empty: files go to
   *     the directory's disk
   * @throws ExperimentException when the system does not permit it, with the reason
   */
  public static Namespaces create(Path directory, OptionalLong room)
      throws ExperimentException, InterruptedException {
    Programs.check();
    boolean root = "root".equals(System.getProperty("user.name"));
    List<String> reasons = new ArrayList<>();
    // In a container even root may need a user namespace.
    for (boolean user : root ? new boolean[] {false, true} : new boolean[] {true}) {
      try {
        return create(directory, room, user);
      } catch (IOException e) {
        reasons.add(String.valueOf(e.getMessage()));
      }
    }
    throw ExperimentException.refused(
        "the lab cannot have namespaces of its own (%s): run it as root, or allow user namespaces"
            .formatted(String.join("; ", reasons)));
  }

  private static Namespaces create(Path directory, OptionalLong room, boolean user)
      throws IOException, InterruptedException {
    Path log = directory.resolve("space.log");
    List<String> command = new ArrayList<>(List.of("setsid", "unshare"));
    if (user) {
      command.addAll(List.of("--user", "--map-root-user"));
    }
    command.addAll(
        List.of("--mount", "--net", "--uts", "--pid", "--fork", "--kill-child", "sh", "-c", HOLD));
    command.add(directory.toAbsolutePath().toString());
    command.add(room.isPresent() ? String.valueOf(room.getAsLong()) : "");
    Process process =
        Programs.builder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    boolean ready = false;
    try {
      ready = isReady(process, log);
      OptionalLong started = Proc.started(process.pid());
      long first = process.children().findFirst().map(ProcessHandle::pid).orElse(0L);
      OptionalLong firstStarted = Proc.started(first);
      if (!ready || started.isEmpty() || firstStarted.isEmpty()) {
        throw new IOException(reason(log));
      }
      Identity identity =
          new Identity(process.pid(), started.getAsLong(), first, firstStarted.getAsLong(), user);
      return new Namespaces(identity, process);
    } finally {
      if (!ready) {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private static boolean isReady(Process process, Path log)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_MILLIS);
    while (System.nanoTime() - end < 0) {
      if (Files.readString(log).contains(READY)) {
        return true;
      }
      if (process.waitFor(10, TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
    return false;
  }

  private static String reason(Path log) throws IOException {
    return Files.readString(log)
        .lines()
        .filter(line -> !line.isBlank() && !line.equals(READY))
        .findFirst()
        .orElse("no answer within " + READY_MILLIS / 1000 + " s");
  }

  /** Namespaces that another process created; they must be alive. */
  public static Namespaces attach(Identity identity) {
    return new Namespaces(identity, null);
  }

  public Identity identity() {
    return identity;
  }

  /** Lets the namespaces outlive this process. */
  public void keep() throws ExperimentException {
    if (own == null) {
      throw new IllegalStateException("only who made a space decides");
    }
    try (OutputStream in = own.getOutputStream()) {
      in.write("keep\n".getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw ExperimentException.failed("the lab's namespaces are gone", e);
    }
  }

  /** The command that runs a command inside. */
  private List<String> inside(List<String> command) {
    List<String> all = new ArrayList<>(List.of("nsenter"));
    if (identity.user()) {
      all.addAll(List.of("--user", "--preserve-credentials"));
    }
    all.addAll(
        List.of(
            "--target", String.valueOf(identity.first()), "--mount", "--net", "--uts", "--pid"));
    all.addAll(command);
    return all;
  }

  /** A process on a host, for the caller to start. */
  public ProcessBuilder onHost(String host, List<String> command) {
    List<String> all = new ArrayList<>(List.of("sh", "-c", IN_HOST, host));
    all.addAll(command);
    return Programs.builder(inside(all));
  }

  /**
   * The line of a shell script for {@link #run} that starts a program on a host in the background.
   *
   * @param log the file of its output
   */
  public static String inBackground(String host, List<String> command, Path log) {
    StringBuilder line = new StringBuilder("sh -c " + quoted(IN_HOST) + " " + host);
    command.forEach(word -> line.append(' ').append(quoted(word)));
    return line + " </dev/null >>" + quoted(log.toString()) + " 2>&1 &\n";
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /**
   * Runs a shell script inside.
   *
   * @return its output
   * @throws ExperimentException when it fails, with the first line of its output
   */
  public String run(String script) throws ExperimentException, InterruptedException {
    try {
      Process process =
          Programs.builder(inside(List.of("sh", "-s"))).redirectErrorStream(true).start();
      try (OutputStream in = process.getOutputStream()) {
        in.write(script.getBytes(StandardCharsets.UTF_8));
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        throw ExperimentException.failed(
            "the lab's network cannot be set up: "
                + said.lines()
                    .filter(line -> !line.isBlank())
                    .findFirst()
                    .orElse("a command ended with status " + status));
      }
      return said;
    } catch (IOException e) {
      throw ExperimentException.failed(
          identity.alive()
              ? "no command can be run in the lab: " + e.getMessage()
              : "the lab's namespaces are gone: its keeper, process "
                  + identity.keeper()
                  + ", was ended",
          e);
    }
  }

  /** The counters of the devices in the lab's network namespace. */
  public List<String> devices() {
    return Proc.devices(identity.first());
  }

  /** The path outside of a path inside. */
  public Path seen(Path path) {
    return Path.of("/proc", String.valueOf(identity.first()), "root")
        .resolve(path.toAbsolutePath().toString().substring(1));
  }

  /** Background processes inside, by role. */
  public Map<String, Member> members() {
    Map<String, Member> members = new HashMap<>();
    ProcessHandle.of(identity.first()).stream()
        .flatMap(ProcessHandle::children)
        .forEach(
            process -> {
              for (String word : Proc.command(process.pid())) {
                if (word.startsWith(ROLE)) {
                  members.put(
                      word.substring(ROLE.length()),
                      new Member(process.pid(), Proc.state(process.pid()).equals("T")));
                }
              }
            });
    return members;
  }

  /**
   * A process inside.
   *
   * @param pid its id outside
   * @param stopped whether it is stopped
   */
  public record Member(long pid, boolean stopped) {}

  /** Kills all processes inside and waits for the end of the namespaces. */
  public void destroy() throws ExperimentException, InterruptedException {
    destroy(identity);
  }

  /** Kills the namespaces of an identity if they are alive, and waits for their end. */
  public static void destroy(Identity identity) throws ExperimentException, InterruptedException {
    identity.kill();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MILLIS);
    while (identity.alive()) {
      if (System.nanoTime() - end > 0) {
        throw ExperimentException.failed(
            "the lab's processes %d and %d do not end"
                .formatted(identity.keeper(), identity.first()));
      }
      Thread.sleep(20);
    }
  }
}
