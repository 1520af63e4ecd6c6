package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoContiguous;
import org.braid.code.Codes;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader.Judged;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripePromise;
import org.junit.jupiter.api.Test;

/** How often the stripes of a file of many blocks are looked up and judged. */
final class JudgedTest {
  private static final int DATA = 4;

  /** Stripes of four data blocks with successive ids: block 4 i is the first one of stripe i. */
  private static final class Known implements Judged.Stripes {
    private final List<Long> lookedUp = new ArrayList<>();

    @Override
    public Optional<Entry> known(long block) {
      lookedUp.add(block);
      long first = block / DATA * DATA;
      List<Member> members = new ArrayList<>();
      for (int i = 0; i < DATA; i++) {
        members.add(Member.data(new BlockIdentity(first + i, 1, 1000), i, "home " + i, 3));
      }
      members.add(Member.parity(new BlockIdentity(1_000_000 + first, 1, 1000), 9, "home"));
      String id = name(first);
      return Optional.of(
          new Entry(
              Stripe.encoded(
                  id,
                  Codes.named("rs-4-1"),
                  members,
                  new StripePromise(1, List.of(), Optional.empty()),
                  1000),
              "/" + id,
              first));
    }

    @Override
    public boolean isOf(Entry entry, long block) {
      return entry.stripe().positionOf(block).isPresent();
    }
  }

  private final Known known = new Known();
  private final List<String> judged = new ArrayList<>();
  private final Judged<String> stripes =
      new Judged<>(
          known,
          entry -> {
            judged.add(entry.id());
            return "judged " + entry.id();
          });

  private static String name(long first) {
    return "%02x".formatted(first);
  }

  private String judge(long block) throws IOException {
    return stripes.judge(stripes.of(block).orElseThrow());
  }

  @Test
  void aStripeIsLookedUpAndJudgedOnceForItsBlocks() throws IOException {
    for (long block = 0; block < 3 * DATA; block++) {
      assertEquals("judged " + name(block / DATA * DATA), judge(block));
    }
    assertEquals(List.of(0L, 4L, 8L), known.lookedUp);
    assertEquals(List.of("00", "04", "08"), judged);
  }

  @Test
  void aStripeAcrossFilesIsJudgedOnceToo() throws IOException {
    assertTrue(stripes.isNew(stripes.of(0).orElseThrow()));
    for (long block : LongStream.of(0, 4, 1, 5, 2, 6).toArray()) {
      assertEquals("judged " + name(block / DATA * DATA), judge(block));
    }
    assertFalse(stripes.isNew(stripes.of(0).orElseThrow()));
    assertEquals(List.of("00", "04"), judged);
  }

  @Test
  void aBlockThatWasChangedIsNoMember() {
    BlockInfo same = new BlockInfoContiguous(new Block(5, 1000, 1), (short) 3);
    BlockInfo later = new BlockInfoContiguous(new Block(6, 1000, 2), (short) 3);
    assertEquals(1, stripes.holding(same).orElseThrow().crc());
    assertTrue(stripes.holding(later).isEmpty());
    assertEquals(List.of(5L), known.lookedUp);
  }
}
