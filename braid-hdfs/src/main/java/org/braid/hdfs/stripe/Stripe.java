package org.braid.hdfs.stripe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.braid.code.ErasureCode;
import org.braid.engine.block.CellLayout;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.jspecify.annotations.Nullable;

/**
 * A stripe as its attribute records it: code, members, homes and promise. Immutable.
 *
 * <p>The code is resolved when the stripe is created. A stripe of a later version, of an unknown
 * code or of another matrix still has its members; a caller that needs its code gets an {@link
 * UnsupportedStripeException}.
 */
public final class Stripe {
  private final int version;
  private final String id;
  private final StripeCode recorded;
  private final List<Member> members;
  private final StripePromise promise;
  private final boolean verified;
  private final int cell;
  private final @Nullable ErasureCode code;
  private final @Nullable String unsupported;

  private Stripe(Stripe other, List<Member> members) {
    version = other.version;
    id = other.id;
    recorded = other.recorded;
    this.members = List.copyOf(members);
    promise = other.promise;
    verified = other.verified;
    cell = other.cell;
    code = other.code;
    unsupported = other.unsupported;
  }

  /**
   * A stripe read from a message.
   *
   * @param version version of the message, or the later version that describes the stripe
   * @param cell bytes of a cell of codes with several sub-blocks a block; 0 for other codes
   * @param problem why this version of Braid cannot use the stripe; null if it may try
   */
  Stripe(
      int version,
      String id,
      StripeCode recorded,
      List<Member> members,
      StripePromise promise,
      boolean verified,
      int cell,
      @Nullable String problem) {
    this.version = version;
    this.id = id;
    this.recorded = recorded;
    this.members = List.copyOf(members);
    this.promise = promise;
    this.verified = verified;
    this.cell = cell;
    ErasureCode resolved = null;
    String reason = problem;
    if (reason == null) {
      try {
        resolved = resolve();
      } catch (IllegalArgumentException e) {
        reason = String.valueOf(e.getMessage());
      }
    }
    code = resolved;
    unsupported = reason;
  }

  /**
   * A stripe that was just encoded, every parity block read back from its disk.
   *
   * @param id 128 random bits, hexadecimal
   * @param cell bytes of a cell where blocks have several sub-blocks
   */
  public static Stripe encoded(
      String id, ErasureCode code, List<Member> members, StripePromise promise, int cell) {
    return new Stripe(
        StripeCodec.VERSION,
        id,
        StripeCode.of(code),
        members,
        promise,
        true,
        code.alpha() > 1 ? cell : 0,
        null);
  }

  private ErasureCode resolve() {
    ErasureCode resolved = recorded.resolve(members.size());
    if (resolved.alpha() > 1 && cell < 1) {
      throw new IllegalArgumentException(
          "it does not say how its blocks are cut into %d sub-blocks: its description is damaged"
              .formatted(resolved.alpha()));
    }
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      if (member.isVirtual() && i >= resolved.k()) {
        throw new IllegalArgumentException(
            "its member %d is a parity without a block: its description is damaged".formatted(i));
      }
      if (!member.isVirtual() && !isPossible(member)) {
        throw new IllegalArgumentException(
            "its member %d has %d bytes, %d replicas and checksums %s: its description is damaged"
                .formatted(i, member.block().length(), member.replication(), member.checksum()));
      }
    }
    CellLayout.of(resolved.alpha(), cell, longest());
    return resolved;
  }

  private static boolean isPossible(Member member) {
    ReplicaChecksum sums = member.checksum();
    return member.block().length() >= 0
        && member.replication() >= 0
        && (sums == null || sums.chunk() > 0);
  }

  int version() {
    return version;
  }

  /** The id, 32 hexadecimal digits, which is also the name of the parity file. */
  public String id() {
    return id;
  }

  /** A prefix of the id that fits into a picture. */
  public String shortId() {
    return id.substring(0, Math.min(8, id.length()));
  }

  /** The recorded code. */
  public StripeCode recordedCode() {
    return recorded;
  }

  /** Whether this version of Braid can decode and place the stripe. */
  public boolean isSupported() {
    return code != null;
  }

  /** Why this version of Braid cannot use the stripe; empty when it can. */
  public Optional<String> problem() {
    return Optional.ofNullable(unsupported);
  }

  /**
   * The code, whose matrix is the one recorded.
   *
   * @throws UnsupportedStripeException when this version of Braid cannot use the stripe
   */
  public ErasureCode code() {
    if (code == null) {
      throw new UnsupportedStripeException("stripe " + id + ": " + unsupported);
    }
    return code;
  }

  /** All members by position, data first. */
  public List<Member> members() {
    return members;
  }

  /** The member at a position, 0 to n-1. */
  public Member member(int position) {
    return members.get(position);
  }

  /** Number of blocks, including virtual ones. */
  public int size() {
    return members.size();
  }

  /** Whether the member at a position is a virtual block of zeros. */
  public boolean isVirtual(int position) {
    return member(position).isVirtual();
  }

  /** The stored blocks by position. */
  public Map<Integer, BlockIdentity> blocks() {
    Map<Integer, BlockIdentity> blocks = new HashMap<>();
    for (int i = 0; i < members.size(); i++) {
      if (!isVirtual(i)) {
        blocks.put(i, members.get(i).block());
      }
    }
    return blocks;
  }

  /** The ids of the stored blocks, which are the keys of the stripe in the index. */
  public List<Long> blockIds() {
    return members.stream().filter(m -> !m.isVirtual()).map(m -> m.block().id()).toList();
  }

  /** The position of a block; empty when it is not in the stripe, or has changed since. */
  public OptionalInt positionOf(BlockIdentity block) {
    for (int i = 0; i < members.size(); i++) {
      if (block.equals(members.get(i).stored())) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /** The position of the block with an id, changed or not. */
  public OptionalInt positionOf(long blockId) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).isBlock(blockId)) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /** The recorded placement of its blocks. */
  public StripePromise promise() {
    return promise;
  }

  /**
   * The rule by which the stripe was placed, for the present racks.
   *
   * @throws UnsupportedStripeException when this version of Braid cannot use the stripe
   * @throws IllegalArgumentException when the policy over sites is unknown
   */
  public StripeRule rule(Topology topology) {
    return promise.rule(code(), topology);
  }

  /** Whether every parity block was read back from its disk with the recorded CRC. */
  public boolean verified() {
    return verified;
  }

  /** Bytes of a cell; 0 if a block has one sub-block. */
  public int cell() {
    return cell;
  }

  /** The layout of sub-blocks in the blocks, including the zeros behind short blocks. */
  public CellLayout layout() {
    return CellLayout.of(code().alpha(), cell, longest());
  }

  private long longest() {
    return members.stream()
        .filter(member -> !member.isVirtual())
        .mapToLong(member -> member.block().length())
        .max()
        .orElse(0);
  }

  /** Bytes of the longest blocks, which is the length of parity. */
  public long blockLength() {
    return layout().blockLength();
  }

  /** Bytes of all stored parity blocks. */
  public long parityBytes() {
    return members.subList(code().k(), members.size()).stream()
        .mapToLong(member -> member.block().length())
        .sum();
  }

  /** The stripe with other homes. */
  public Stripe withHomes(Map<Integer, String> homes) {
    List<Member> moved = new ArrayList<>(members);
    homes.forEach((position, home) -> moved.set(position, moved.get(position).at(home)));
    return new Stripe(this, moved);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Stripe stripe
        && version == stripe.version
        && id.equals(stripe.id)
        && recorded.equals(stripe.recorded)
        && members.equals(stripe.members)
        && promise.equals(stripe.promise)
        && verified == stripe.verified
        && cell == stripe.cell;
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, members);
  }

  @Override
  public String toString() {
    return "stripe " + id + " (" + recorded.name() + ")";
  }
}
