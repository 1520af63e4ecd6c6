package org.braid.lab.namespace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Reads counters of this machine and its processes from {@code /proc}. */
public final class Proc {
  private static final Path ROOT = Path.of("/proc");

  /** Ticks a second of processor times, equal on every Linux that Java supports. */
  private static final double TICKS = 100;

  private static final int STATE = 0;
  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;
  private static final int PRIORITY = 16;
  private static final int START = 19;
  private static final int NICE = 1;
  private static final int IDLE = 3;
  private static final int WAIT = 4;
  private static final int STEAL = 7;

  private Proc() {}

  /**
   * Processor time of the whole machine since it started.
   *
   * @param busy seconds of all cores at work
   * @param idle idle seconds of all cores; includes niced work unless this process is niced
   * @param stolen seconds that the hypervisor gave to other machines
   */
  public record Machine(double busy, double idle, double stolen) {
    /** The difference to an earlier reading. */
    public Machine since(Machine before) {
      return new Machine(busy - before.busy, idle - before.idle, stolen - before.stolen);
    }

    /** Busy and stolen time as a share of all cores' time, 0 to 1. */
    public double load() {
      double all = busy + idle + stolen;
      return all <= 0 ? 0 : (busy + stolen) / all;
    }
  }

  /** Start time of a process in ticks since the machine started; empty without such a process. */
  public static OptionalLong started(long pid) {
    String[] fields = fields(pid);
    return fields.length > START && !fields[STATE].equals("Z")
        ? OptionalLong.of(Long.parseLong(fields[START]))
        : OptionalLong.empty();
  }

  /** Processor seconds of a process; 0 without such a process. */
  public static double cpuSeconds(long pid) {
    String[] fields = fields(pid);
    return fields.length > SYSTEM_TICKS
        ? (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS])) / TICKS
        : 0;
  }

  /** The state letter of a process, {@code T} when stopped; empty without such a process. */
  static String state(long pid) {
    String[] fields = fields(pid);
    return fields.length > STATE ? fields[STATE] : "";
  }

  /** The fields after the program name, which may contain blanks. */
  private static String[] fields(long pid) {
    String text = text(ROOT.resolve(pid + "/stat"));
    int end = text.lastIndexOf(')');
    return end < 0 ? new String[0] : text.substring(end + 1).strip().split(" ");
  }

  /** Resident bytes of a process. */
  public static long memory(long pid) {
    return kilobytes(ROOT.resolve(pid + "/status"), "VmRSS:");
  }

  /** Bytes of memory available without swapping. */
  public static long memoryAvailable() {
    return kilobytes(ROOT.resolve("meminfo"), "MemAvailable:");
  }

  private static long kilobytes(Path file, String key) {
    for (String line : lines(file)) {
      if (line.startsWith(key)) {
        return Long.parseLong(line.substring(key.length()).strip().split(" ")[0]) << 10;
      }
    }
    return 0;
  }

  /** Processor time of the machine. */
  public static Machine machine() {
    String[] own = fields(ProcessHandle.current().pid());
    boolean givesWay = own.length > PRIORITY && Integer.parseInt(own[PRIORITY]) > 0;
    return machine(lines(ROOT.resolve("stat")), givesWay ? 0 : 1);
  }

  /** Parses the kernel's lines; counts the given share of niced time as idle. */
  static Machine machine(List<String> lines, double niceIsIdle) {
    for (String line : lines) {
      if (line.startsWith("cpu ")) {
        String[] ticks = line.substring(3).strip().split("\\s+");
        double idle =
            (Double.parseDouble(ticks[IDLE])
                    + Double.parseDouble(ticks[WAIT])
                    + niceIsIdle * Double.parseDouble(ticks[NICE]))
                / TICKS;
        double stolen = Double.parseDouble(ticks[STEAL]) / TICKS;
        double all = 0;
        // The first two include the time of guests.
        for (int i = 0; i <= STEAL; i++) {
          all += Double.parseDouble(ticks[i]) / TICKS;
        }
        return new Machine(all - idle - stolen, idle, stolen);
      }
    }
    return new Machine(0, 0, 0);
  }

  /** The words of a process's command line; empty without such a process. */
  static List<String> command(long pid) {
    return List.of(text(ROOT.resolve(pid + "/cmdline")).split("\0"));
  }

  /** The counters of network devices as a process sees them, one line each. */
  static List<String> devices(long pid) {
    return lines(ROOT.resolve(pid + "/net/dev"));
  }

  private static List<String> lines(Path file) {
    return text(file).lines().toList();
  }

  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      // The process has ended.
      return "";
    }
  }
}
