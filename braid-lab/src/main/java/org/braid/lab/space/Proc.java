package org.braid.lab.space;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What {@code /proc} tells of this machine and its processes. */
public final class Proc {
  private static final Path ROOT = Path.of("/proc");

  /** The unit of processor times there, the same on every Linux that Java runs on. */
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
  private static final int SECTOR = 512;

  private Proc() {}

  /**
   * Processor time of the whole machine since it started.
   *
   * @param busy seconds of all cores at work
   * @param idle seconds of all cores without; or with work that was told to give way (nice), when
   *     this process was not
   * @param stolen seconds that the hypervisor gave to others
   */
  public record Machine(double busy, double idle, double stolen) {
    /** The time since an earlier look. */
    public Machine since(Machine before) {
      return new Machine(busy - before.busy, idle - before.idle, stolen - before.stolen);
    }

    /** The share of all cores' time that was at work or stolen, 0 to 1. */
    public double load() {
      double all = busy + idle + stolen;
      return all <= 0 ? 0 : (busy + stolen) / all;
    }
  }

  /**
   * What the machine's disks did since it started.
   *
   * @param read bytes
   * @param written bytes
   */
  public record Disks(long read, long written) {
    /** What they did since an earlier look. */
    public Disks since(Disks before) {
      return new Disks(read - before.read, written - before.written);
    }
  }

  /** When a process was started, in ticks since the machine was; empty when there is none. */
  public static OptionalLong started(long pid) {
    String[] fields = fields(pid);
    return fields.length > START && !fields[STATE].equals("Z")
        ? OptionalLong.of(Long.parseLong(fields[START]))
        : OptionalLong.empty();
  }

  /** Processor seconds that a process has taken; 0 when there is none. */
  public static double cpuSeconds(long pid) {
    String[] fields = fields(pid);
    return fields.length > SYSTEM_TICKS
        ? (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS])) / TICKS
        : 0;
  }

  /** The state letter of a process, {@code T} when it is stopped; empty when there is none. */
  static String state(long pid) {
    String[] fields = fields(pid);
    return fields.length > STATE ? fields[STATE] : "";
  }

  /** The fields behind the name of the program, which may have blanks in it. */
  private static String[] fields(long pid) {
    String text = text(ROOT.resolve(pid + "/stat"));
    int end = text.lastIndexOf(')');
    return end < 0 ? new String[0] : text.substring(end + 1).strip().split(" ");
  }

  /** Bytes of memory that a process has in use. */
  public static long memory(long pid) {
    return kilobytes(ROOT.resolve(pid + "/status"), "VmRSS:");
  }

  /** Bytes of memory that this machine can still give without swapping. */
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

  /** The same from the kernel's lines, with so much of the time of niced work counted as idle. */
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
        // What guests took is part of the first two.
        for (int i = 0; i <= STEAL; i++) {
          all += Double.parseDouble(ticks[i]) / TICKS;
        }
        return new Machine(all - idle - stolen, idle, stolen);
      }
    }
    return new Machine(0, 0, 0);
  }

  /** What the machine's disks did. */
  public static Disks disks() {
    List<String> whole = new ArrayList<>();
    try (Stream<Path> devices = Files.list(Path.of("/sys/block"))) {
      devices.map(path -> path.getFileName().toString()).forEach(whole::add);
    } catch (IOException e) {
      // Without them no disk is counted.
    }
    return disks(lines(ROOT.resolve("diskstats")), whole);
  }

  static Disks disks(List<String> lines, List<String> whole) {
    long read = 0;
    long written = 0;
    for (String line : lines) {
      String[] fields = line.strip().split("\\s+");
      // Devices that lie on others would count twice.
      if (fields.length > 9
          && whole.contains(fields[2])
          && !fields[2].matches("(loop|ram|zram|dm-|md|sr|fd).*")) {
        read += Long.parseLong(fields[5]) * SECTOR;
        written += Long.parseLong(fields[9]) * SECTOR;
      }
    }
    return new Disks(read, written);
  }

  /** The words of a process's command line; none when there is no such process. */
  static List<String> command(long pid) {
    return List.of(text(ROOT.resolve(pid + "/cmdline")).split("\0"));
  }

  /** The lines of what a process sees of its network devices. */
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
