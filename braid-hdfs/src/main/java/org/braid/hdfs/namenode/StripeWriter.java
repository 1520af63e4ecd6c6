package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.braid.hdfs.namenode.StripeIndex.Entry;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;

/** Writes descriptions of stripes to their parity files, into the edit log. */
final class StripeWriter {
  private StripeWriter() {}

  /** Describes a stripe on its parity file, staged or published. */
  static void write(NameNodeHost host, StripeIndex index, String path, StripeProto stripe)
      throws IOException {
    XAttr attribute = XAttrHelper.buildXAttr(BraidPaths.STRIPE_XATTR, stripe.toByteArray());
    // One at a time, so that no writer overwrites what another has just read.
    synchronized (index) {
      Optional<Entry> present = index.published(stripe.getId());
      if (present.isPresent()
          && present.get().path().equals(path)
          && present.get().stripe().equals(stripe)) {
        // In place with this description already: it is indexed and awaited, no edit is needed.
        index.described(path, stripe);
        return;
      }
      host.asOwner(
          () -> {
            host.calls()
                .setXAttr(path, attribute, EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
            return true;
          });
      index.described(path, stripe);
    }
  }

  /**
   * Names a new home of a member of a published stripe.
   *
   * @param seen the stripe as it was when the home was decided on
   * @return whether it is done; not, when the stripe was changed in between
   */
  static boolean move(NameNodeHost host, StripeIndex index, Entry seen, int member, String home)
      throws IOException {
    synchronized (index) {
      Optional<Entry> present = index.published(seen.id());
      if (present.isEmpty() || !present.get().stripe().equals(seen.stripe())) {
        return false;
      }
      MemberProto moved = seen.stripe().getMembers(member).toBuilder().setHome(home).build();
      boolean awaited = index.isAwaited(seen.id());
      write(host, index, seen.path(), seen.stripe().toBuilder().setMembers(member, moved).build());
      if (!awaited) {
        index.trimmed(seen.id());
      }
      return true;
    }
  }
}
