package org.braid.testing;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.Arguments;

/**
 * A parser of bytes that anybody may send. Whatever they are, it ends, takes memory in proportion
 * to them, and refuses them by documented exceptions alone.
 *
 * @param read parses an input, and uses what comes out as its callers do
 * @param seeds inputs from which others are made
 * @param refusals the documented exceptions
 */
public record HostileParser(
    Read read, List<byte[]> seeds, List<Class<? extends Exception>> refusals) {
  private static final long MOST_NANOS = 10_000_000_000L;
  private static final long MOST_BYTES = 64 << 20;
  private static final long MOST_BYTES_A_BYTE = 4096;
  private static final int SHOWN = 600;

  /** Parses an input. */
  @FunctionalInterface
  public interface Read {
    /** Parses an input, and uses what comes out as its callers do. */
    void parse(byte[] input) throws Exception;
  }

  public HostileParser {
    seeds = List.copyOf(seeds);
    refusals = List.copyOf(refusals);
  }

  /** The same parser with inputs that files of a directory have, if there is one, as seeds. */
  public HostileParser withInputs(Path directory) {
    List<byte[]> all = new ArrayList<>(seeds);
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.sorted().toList()) {
          all.add(Files.readAllBytes(file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new HostileParser(read, all, refusals);
  }

  /** The seeds as arguments of a test. */
  public Stream<Arguments> arguments() {
    return IntStream.range(0, seeds.size())
        .mapToObj(i -> Arguments.of(Named.of("seed " + i, seeds.get(i))));
  }

  /**
   * Parses an input.
   *
   * @throws AssertionError when the parser does not keep what it promises
   */
  public void feed(byte[] input) {
    Cost cost = parse(input);
    if (cost.isHighFor(input)) {
      // The first time may have loaded classes.
      cost = parse(input);
    }
    if (cost.isHighFor(input)) {
      throw new AssertionError(
          "%d ms and %d bytes of memory for %d bytes: %s"
              .formatted(cost.nanos / 1_000_000, cost.bytes, input.length, shown(input)));
    }
  }

  /** What a parser took of a thread's time and of memory. */
  private record Cost(long nanos, long bytes) {
    boolean isHighFor(byte[] input) {
      return nanos > MOST_NANOS || bytes > MOST_BYTES + MOST_BYTES_A_BYTE * input.length;
    }
  }

  private Cost parse(byte[] input) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytes = threads.getCurrentThreadAllocatedBytes();
    long nanos = threads.getCurrentThreadCpuTime();
    try {
      read.parse(input);
    } catch (Exception | StackOverflowError | OutOfMemoryError | AssertionError e) {
      if (refusals.stream().noneMatch(documented -> documented.isInstance(e))) {
        throw new AssertionError(e + " escapes, of " + shown(input), e);
      }
    }
    return new Cost(
        threads.getCurrentThreadCpuTime() - nanos,
        threads.getCurrentThreadAllocatedBytes() - bytes);
  }

  private static String shown(byte[] input) {
    String hex = HexFormat.of().formatHex(input);
    return input.length + " bytes " + hex.substring(0, Math.min(SHOWN, hex.length()));
  }

  /** Parses all seeds, and inputs that are made from them at random. */
  public void feedMutations(Random random, int number) {
    seeds.forEach(this::feed);
    for (int i = 0; i < number; i++) {
      feed(mutation(random));
    }
  }

  /** A seed after a few changes: bits, bytes, lengths, parts repeated, removed or of others. */
  private byte[] mutation(Random random) {
    byte[] input = any(random);
    for (int left = 1 + random.nextInt(4); left > 0; left--) {
      int at = random.nextInt(input.length + 1);
      int end = Math.min(input.length, at + 1 + random.nextInt(16));
      byte[] part = Arrays.copyOfRange(input, at, Math.max(at, end));
      input =
          switch (random.nextInt(6)) {
            case 0 -> joined(input, at, new byte[] {(byte) random.nextInt(256)}, at);
            case 1 -> joined(input, at, any(random, part.length), end);
            case 2 -> joined(input, at, part, at);
            case 3 -> joined(input, at, new byte[0], end);
            case 4 -> joined(input, at, extreme(random), end);
            default -> joined(input, at, flipped(part, random), end);
          };
    }
    return input;
  }

  private byte[] any(Random random) {
    return seeds.get(random.nextInt(seeds.size()));
  }

  private byte[] any(Random random, int length) {
    byte[] other = any(random);
    int at = random.nextInt(other.length + 1);
    return Arrays.copyOfRange(other, at, Math.min(other.length, at + length));
  }

  private static byte[] flipped(byte[] part, Random random) {
    if (part.length > 0) {
      part[random.nextInt(part.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return part;
  }

  /** Bytes that stand for large and negative numbers. */
  private static byte[] extreme(Random random) {
    byte[] number = new byte[1 + random.nextInt(10)];
    Arrays.fill(number, (byte) (random.nextBoolean() ? 0xff : 0x80));
    number[number.length - 1] = (byte) random.nextInt(128);
    return number;
  }

  private static byte[] joined(byte[] input, int from, byte[] between, int to) {
    int rest = input.length - Math.max(from, to);
    byte[] joined = Arrays.copyOf(input, from + between.length + rest);
    System.arraycopy(between, 0, joined, from, between.length);
    System.arraycopy(input, input.length - rest, joined, from + between.length, rest);
    return joined;
  }
}
