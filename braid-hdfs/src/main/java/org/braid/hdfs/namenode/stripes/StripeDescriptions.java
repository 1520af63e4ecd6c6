package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeAttribute;

/** Writes descriptions of stripes to their parity files, into the edit log. */
public final class StripeDescriptions {
  /**
   * The writer of a description.
   *
   * @param beside whether others may encode the same blocks at the same time
   * @param fence checks that the lease is still valid
   */
  public record Writer(boolean beside, Trimmer.Fence fence) {}

  private StripeDescriptions() {}

  /**
   * Writes the description of a stripe to its parity file, staged or published.
   *
   * @param seen the description that this one was derived from, if any
   * @param writer the writer
   * @return whether the file has this description now; false, without a change, when the file has
   *     neither this description nor {@code seen}
   * @throws IOException when the stripe is new and has a block of another whole stripe, or of
   *     another new one: both would drop each other's replicas
   */
  public static boolean write(
      NameNodeHost host,
      StripeIndex index,
      String path,
      Stripe stripe,
      Optional<Stripe> seen,
      Writer writer)
      throws IOException {
    // One at a time, so that no writer overwrites what another has just read. Each waits for the
    // edit log: those who only ask the index for stripes do not.
    synchronized (writers(index)) {
      Optional<Entry> present = index.published(stripe.id());
      if (present.isPresent()
          && present.get().path().equals(path)
          && present.get().stripe().equals(stripe)) {
        // In place with this description already: it is indexed and awaited, no edit is needed.
        index.described(path, stripe);
        return true;
      }
      if (seen.isPresent() && !present.map(Entry::stripe).equals(seen)) {
        return false;
      }
      if (writer.beside && seen.isEmpty() && present.isEmpty()) {
        checkFree(host, index, stripe);
      }
      writer.fence.check(); // another description may have been waited for
      edit(host, path, stripe);
      index.described(path, stripe);
      return true;
    }
  }

  /** Writes the attribute into the edit log. */
  private static void edit(NameNodeHost host, String path, Stripe stripe) throws IOException {
    int version = host.readingFiles("braidStripe", () -> version(host));
    XAttr attribute =
        XAttrHelper.buildXAttr(BraidPaths.STRIPE_XATTR, StripeAttribute.toBytes(stripe, version));
    host.asOwner(
        () -> {
          host.calls()
              .setXAttr(path, attribute, EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
          return true;
        });
  }

  /** What whoever writes descriptions holds meanwhile. */
  private static Object writers(StripeIndex index) {
    return index.files();
  }

  private static void checkFree(NameNodeHost host, StripeIndex index, Stripe stripe)
      throws IOException {
    Optional<String> other = taken(host, index, stripe);
    if (other.isPresent() && !index.forgetFailed().isEmpty()) {
      other = taken(host, index, stripe);
    }
    if (other.isPresent()) {
      throw new IOException(
          "stripe %s is not needed: %s; somebody else has encoded it meanwhile"
              .formatted(stripe.id(), other.get()));
    }
  }

  /**
   * Which data block is in another stripe, and in which one; stripes that lost data do not count.
   */
  private static Optional<String> taken(NameNodeHost host, StripeIndex index, Stripe stripe)
      throws IOException {
    return host.reading(
        "braidStripe",
        () -> {
          for (Member member : stripe.members()) {
            if (member.isVirtual()) {
              continue;
            }
            long block = member.block().id();
            String staged = index.stagedWith(block);
            if (staged != null && !staged.equals(stripe.id())) {
              return Optional.of(
                  "blk_" + block + " is in stripe " + staged + ", which is new, too");
            }
            Optional<Entry> known = index.known(block);
            if (known.isPresent()
                && !known.get().id().equals(stripe.id())
                && known.get().stripe().positionOf(member.block()).isPresent()
                && !StripeReader.lostData(host, known.get())) {
              return Optional.of("blk_" + block + " is in stripe " + known.get().id());
            }
          }
          return Optional.empty();
        });
  }

  /**
   * The version in which stripes are described: the first one until an operator says that no
   * release runs any more, or will run again, that knows no other. The namesystem's lock is held.
   */
  private static int version(NameNodeHost host) throws IOException {
    INode root = host.inode(BraidPaths.ROOT);
    XAttrFeature attributes = root == null ? null : root.getXAttrFeature();
    XAttr found = attributes == null ? null : attributes.getXAttr(BraidPaths.FORMAT_XATTR);
    if (found == null || found.getValue() == null) {
      return StripeAttribute.FIRST;
    }
    String text = new String(found.getValue(), StandardCharsets.UTF_8);
    return text.matches("[1-9]\\d{0,8}")
        ? Math.min(Integer.parseInt(text), StripeAttribute.LATEST)
        : StripeAttribute.FIRST;
  }

  /**
   * Records a new home of a member of a published stripe.
   *
   * @param seen the stripe when the home was decided
   * @return whether it was recorded; false when the stripe has changed since, or a later version of
   *     Braid described it
   */
  public static boolean move(
      NameNodeHost host, StripeIndex index, Entry seen, int member, String home)
      throws IOException {
    synchronized (writers(index)) {
      Optional<Entry> present = index.published(seen.id());
      if (present.isEmpty()
          || !present.get().stripe().equals(seen.stripe())
          || !seen.stripe().isSupported()) {
        return false;
      }
      Stripe moved = seen.stripe().withHomes(Map.of(member, home));
      if (!moved.equals(seen.stripe())) {
        edit(host, seen.path(), moved);
        index.published(seen.id()); // awaited as before: it may be trimmed or deleted meanwhile
      }
      return true;
    }
  }
}
