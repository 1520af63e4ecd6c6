package org.braid.hdfs.stripe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.braid.code.CodeFamily;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.code.derive.Tolerance;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stripes that this and earlier releases wrote can be read, repaired and restored from their bytes
 * alone. The files never change; those of new codes and of new ways to describe a stripe are added.
 */
final class FrozenStripesTest {
  private static final Path DIRECTORY = Path.of("src/test/resources/stripes");
  private static final int PATTERNS = 120;

  /** A code of each family, small; the number of copies of each parity stands behind the slash. */
  private static final List<String> CODES =
      List.of(
          "rs-3-2/1",
          "rs-6-3/1",
          "rs-3-2/2",
          "rep-3/1",
          "xor-3-1/1",
          "lrc-4-2-2/1",
          "xorbas-4-3-2/1",
          "mxor-4-4/1",
          "flr-n6-g1-l2/1",
          "hlr-n3-r3-g1-l1/1",
          "stair-n3-r3-m1-e1-l0/1",
          "rstair-n3-r3-m1-e2-l1/1",
          "rotated-rs-4-1-4/1",
          "hitchhiker-xor-3-4/1",
          "clay-2-2-3/1");

  private static final StripePromise PROMISE =
      new StripePromise(2, List.of("/rack0", "/rack1"), Optional.empty());
  private static final StripePromise SITES =
      new StripePromise(3, List.of(), Optional.of(new StripePromise.Sites("even", 4)));

  static Stream<String> stripes() throws IOException {
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList().stream();
    }
  }

  private static FrozenStripe read(String name) throws IOException {
    return FrozenStripe.read(DIRECTORY.resolve(name));
  }

  @Test
  void everyFamilyAndEachWayToDescribeAStripeIsThere() throws IOException {
    Set<String> codes = new HashSet<>();
    Set<String> ways = new HashSet<>();
    for (String name : stripes().toList()) {
      Stripe stripe = read(name).stripe();
      codes.add(stripe.recordedCode().original());
      boolean sums = stripe.members().stream().anyMatch(m -> m.checksum() != null);
      ways.add(
          "version %d%s%s%s%s"
              .formatted(
                  StripeAttribute.version(read(name).attribute()),
                  sums ? ", checksums" : "",
                  stripe.recordedCode().copies() > 1 ? ", copies" : "",
                  stripe.promise().sites().isPresent() ? ", sites" : "",
                  stripe.member(0).home().startsWith("0") ? "" : ", named nodes"));
    }
    for (CodeFamily family : Codes.families()) {
      assertTrue(
          codes.stream().anyMatch(code -> family.prefix().equals(prefix(code))),
          "no stripe of " + family.pattern() + ": add it");
    }
    assertEquals(
        Set.of(
            "version 1",
            "version 1, checksums",
            "version 1, checksums, copies",
            "version 1, checksums, sites",
            "version 2",
            "version 2, checksums",
            "version 2, checksums, copies",
            "version 2, checksums, sites",
            "version 2, checksums, named nodes"),
        ways);
    assertEquals(2, StripeAttribute.LATEST, "freeze stripes of the new version");
  }

  private static String prefix(String code) {
    return Codes.families().stream()
        .map(CodeFamily::prefix)
        .filter(prefix -> code.startsWith(prefix + "-"))
        .max(java.util.Comparator.comparingInt(String::length))
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("stripes")
  void theDescriptionIsUnderstoodAndWrittenTheSame(String name) throws IOException {
    FrozenStripe frozen = read(name);
    assertTrue(frozen.stripe().isSupported());
    int version = StripeAttribute.version(frozen.attribute());
    assertArrayEquals(frozen.attribute(), StripeAttribute.toBytes(frozen.stripe(), version));
    assertEquals(frozen.blocks(), frozen.stripe().size());
    for (int i = 0; i < frozen.blocks(); i++) {
      Member member = frozen.stripe().member(i);
      assertEquals(member.isVirtual() ? 0 : member.block().length(), frozen.block(i).length);
      assertEquals(member.crc(), member.isVirtual() ? 0 : FrozenStripe.crc(frozen.block(i)));
    }
  }

  @ParameterizedTest
  @MethodSource("stripes")
  void whatIsLostIsRebuiltFromTheBytesOfTheOthers(String name) throws IOException {
    FrozenStripe frozen = read(name);
    ErasureCode code = frozen.stripe().code();
    int tolerance = Tolerance.of(code).proven();
    for (List<Integer> lost : patterns(code.n(), tolerance)) {
      List<byte[]> rebuilt = frozen.rebuild(lost).orElseThrow(() -> new AssertionError(lost));
      for (int i = 0; i < lost.size(); i++) {
        byte[] stored = frozen.block(lost.get(i));
        byte[] padded = Arrays.copyOf(stored, rebuilt.get(i).length);
        assertArrayEquals(padded, rebuilt.get(i), "block " + lost.get(i) + " of " + lost);
      }
    }
  }

  /** Each single loss, and some or all of the larger ones. */
  private static Set<List<Integer>> patterns(int n, int tolerance) {
    Random random = Seeds.random(FrozenStripesTest.class);
    Set<List<Integer>> patterns = new LinkedHashSet<>();
    IntStream.range(0, n).forEach(i -> patterns.add(List.of(i)));
    for (int trial = 0; tolerance > 1 && trial < PATTERNS; trial++) {
      List<Integer> all = new ArrayList<>(IntStream.range(0, n).boxed().toList());
      Collections.shuffle(all, random);
      int size = trial % 3 == 0 ? 2 + random.nextInt(tolerance - 1) : tolerance;
      patterns.add(all.subList(0, size).stream().sorted().toList());
    }
    return patterns;
  }

  /** Files that are there stay as they are. */
  @Test
  @EnabledIfSystemProperty(named = "braid.freeze", matches = "true")
  void writesWhatIsMissing() throws IOException {
    for (String entry : CODES) {
      String[] parts = entry.split("/");
      ErasureCode code = StripeCode.named(parts[0], Integer.parseInt(parts[1]));
      String name = ParityCopies.of(code) > 1 ? parts[0] + "-copies" : parts[0];
      add(name, FrozenStripe.encode(code, PROMISE, new Random(name.hashCode())));
    }
    ErasureCode code = Codes.named("rs-3-2");
    add("rs-3-2-sites", FrozenStripe.encode(code, SITES, new Random(1)));
    add(
        "rs-3-2-no-checksums",
        FrozenStripe.encode(code, PROMISE, new Random(2)).withoutChecksums());
    add("rs-3-2-named-nodes", FrozenStripe.encode(code, PROMISE, new Random(3)).onNamedNodes());
  }

  private static void add(String name, FrozenStripe stripe) throws IOException {
    Path file = DIRECTORY.resolve("v%d-%s.hex".formatted(StripeAttribute.LATEST, name));
    if (!Files.exists(file)) {
      stripe.write(file);
    }
  }
}
