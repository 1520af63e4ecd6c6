package org.braid.shard.decode;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.shard.decode.ShardScan.Shard;
import org.braid.shard.format.ShardHeader;
import org.braid.shard.format.ShardNames;
import org.braid.shard.format.ShardSet;
import org.braid.shard.io.AtomicFile;
import org.braid.shard.report.ShardRefusedException;
import org.braid.shard.report.ShardState;
import org.braid.shard.report.UnusedFile;

/**
 * The set of a directory that is decoded or repaired.
 *
 * @param set the set
 * @param code its code
 * @param names the paths of its shards
 * @param shards its shards by block; the best first when a block has several
 * @param faulty files without a usable header at the paths of shards that are missing or have
 *     hidden names, by block
 * @param others all other files that were examined
 */
record SelectedSet(
    ShardSet set,
    ErasureCode code,
    ShardNames names,
    Map<Integer, List<Shard>> shards,
    Map<Integer, UnusedFile> faulty,
    List<UnusedFile> others) {

  /** The directory has no set that can be used. */
  static final class NothingUsableException extends Exception {
    private static final long serialVersionUID = 1L;

    NothingUsableException(String message) {
      super(message);
    }
  }

  /** Blocks without a shard. */
  BitSet missing() {
    BitSet missing = new BitSet();
    missing.set(0, code.n());
    shards.keySet().forEach(missing::clear);
    return missing;
  }

  /** Blocks whose best shard has the hidden name of a temporary file. */
  BitSet temporary() {
    BitSet temporary = new BitSet();
    shards.forEach((block, files) -> temporary.set(block, isTemporary(files.get(0))));
    return temporary;
  }

  private static boolean isTemporary(Shard shard) {
    return AtomicFile.isTemporary(shard.path());
  }

  private boolean isDecodableWithout(BitSet blocks) {
    BitSet lost = missing();
    lost.or(blocks);
    return Solver.decodable(code, lost.stream().boxed().toList());
  }

  /**
   * Chooses the only set that can be decoded or, if there is none, the set with most shards. If
   * several can be decoded, but only one of them without shards under hidden names, that one is
   * chosen.
   *
   * @param wanted the first digits of the set's id; empty for any set
   * @param codes finds codes by name
   * @throws ShardRefusedException when several sets can be decoded
   * @throws NothingUsableException when there is no set, or none with a known code
   */
  static SelectedSet of(
      ShardScan scan, Optional<String> wanted, Function<String, ErasureCode> codes)
      throws ShardRefusedException, NothingUsableException {
    Map<ShardSet, List<Shard>> sets = new LinkedHashMap<>();
    for (Shard shard : scan.shards()) {
      if (shard.header().set().id().toString().startsWith(wanted.orElse(""))) {
        sets.computeIfAbsent(shard.header().set(), s -> new ArrayList<>()).add(shard);
      }
    }
    List<SelectedSet> usable = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    for (Map.Entry<ShardSet, List<Shard>> entry : sets.entrySet()) {
      try {
        usable.add(of(scan, entry.getKey(), entry.getValue(), codes));
      } catch (IllegalArgumentException e) {
        reasons.add(describe(entry.getKey(), entry.getValue().size()) + ": " + e.getMessage());
      }
    }
    if (usable.isEmpty()) {
      throw new NothingUsableException(nothing(scan, wanted, reasons));
    }
    List<SelectedSet> complete =
        usable.stream().filter(s -> s.isDecodableWithout(new BitSet())).toList();
    List<SelectedSet> named =
        complete.stream().filter(s -> s.isDecodableWithout(s.temporary())).toList();
    if (named.size() == 1) {
      return named.get(0);
    }
    if (complete.size() > 1) {
      throw new ShardRefusedException(
          scan.directory()
              + " has "
              + complete.size()
              + " sets that can be restored, choose one with --set: "
              + complete.stream()
                  .map(s -> describe(s.set, s.shards.size()))
                  .collect(Collectors.joining("; ")));
    }
    return complete.isEmpty()
        ? usable.stream().max(Comparator.comparingInt(s -> s.shards.size())).orElseThrow()
        : complete.get(0);
  }

  private static String nothing(ShardScan scan, Optional<String> wanted, List<String> reasons) {
    if (!reasons.isEmpty()) {
      return String.join("; ", reasons);
    }
    if (wanted.isPresent() && !scan.shards().isEmpty()) {
      return "no set in " + scan.directory() + " has an id that begins with " + wanted.get();
    }
    if (scan.faulty().isEmpty()) {
      return "no shards in " + scan.directory();
    }
    return "no shard in " + scan.directory() + " has a header that can be used";
  }

  private static String describe(ShardSet set, int shards) {
    return "set "
        + set.id().brief()
        + " of "
        + set.name()
        + " ("
        + set.code()
        + ", "
        + shards
        + " of "
        + set.n()
        + " shards)";
  }

  private static SelectedSet of(
      ShardScan scan, ShardSet set, List<Shard> files, Function<String, ErasureCode> codes) {
    ErasureCode code = codes.apply(set.code());
    if (!set.isOf(code)) {
      throw new IllegalArgumentException(
          "its code " + set.code() + " has another matrix than the one this program knows");
    }
    ShardNames names = new ShardNames(set.name(), set.n(), code.racks());
    Map<Integer, List<Shard>> shards = new TreeMap<>();
    for (Shard shard : files) {
      shards.computeIfAbsent(shard.header().block(), b -> new ArrayList<>()).add(shard);
    }
    List<UnusedFile> others = new ArrayList<>();
    long size = shardBytes(set);
    shards.forEach(
        (block, same) -> {
          Path home = names.path(block);
          same.sort(
              Comparator.comparing((Shard s) -> s.size() != size)
                  .thenComparing(SelectedSet::isTemporary)
                  .thenComparing(s -> !s.path().equals(home)));
          same.stream().skip(1).map(s -> duplicate(s, same.get(0))).forEach(others::add);
        });
    for (Shard shard : scan.shards()) {
      if (!shard.header().set().equals(set)) {
        others.add(foreign(shard, set));
      }
    }
    Map<Integer, UnusedFile> faulty = new TreeMap<>();
    Map<String, Integer> homes = new TreeMap<>();
    for (int b = 0; b < set.n(); b++) {
      if (!shards.containsKey(b) || isTemporary(shards.get(b).get(0))) {
        homes.put(names.path(b).toString(), b);
      }
    }
    for (UnusedFile file : scan.faulty()) {
      Integer block = homes.get(file.path());
      if (block == null) {
        others.add(file);
      } else {
        faulty.put(block, file);
      }
    }
    return new SelectedSet(set, code, names, shards, faulty, List.copyOf(others));
  }

  /** Bytes of a shard file. */
  static long shardBytes(ShardSet set) {
    return ShardHeader.bytes(set.code(), set.name(), set.n()) + set.layout().bodyBytes();
  }

  private static UnusedFile duplicate(Shard shard, Shard first) {
    return new UnusedFile(
        shard.path().toString(),
        ShardState.DUPLICATE,
        "shard " + shard.header().block() + " is also " + first.path());
  }

  /** A shard of a directory in which no set can be used. */
  static UnusedFile unused(Shard shard) {
    return new UnusedFile(shard.path().toString(), ShardState.UNREAD, whose(shard));
  }

  private static String whose(Shard shard) {
    ShardSet set = shard.header().set();
    return "shard %d of %s, %s, set %s"
        .formatted(shard.header().block(), set.name(), set.code(), set.id().brief());
  }

  private static UnusedFile foreign(Shard shard, ShardSet set) {
    ShardSet other = shard.header().set();
    boolean sameCode = other.code().equals(set.code()) && other.digest().equals(set.digest());
    return new UnusedFile(
        shard.path().toString(),
        sameCode ? ShardState.OTHER_SET : ShardState.OTHER_CODE,
        whose(shard));
  }
}
