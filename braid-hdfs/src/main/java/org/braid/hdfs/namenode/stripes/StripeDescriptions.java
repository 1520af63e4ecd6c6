package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeCodec;

/** Writes descriptions of stripes to their parity files, into the edit log. */
public final class StripeDescriptions {
  private StripeDescriptions() {}

  /** Describes a stripe on its parity file, staged or published. */
  public static void write(NameNodeHost host, StripeIndex index, String path, Stripe stripe)
      throws IOException {
    XAttr attribute = XAttrHelper.buildXAttr(BraidPaths.STRIPE_XATTR, StripeCodec.toBytes(stripe));
    // One at a time, so that no writer overwrites what another has just read.
    synchronized (index) {
      Optional<Entry> present = index.published(stripe.id());
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
   * @return whether it is done; not, when the stripe was changed in between, or a later version of
   *     Braid described it
   */
  public static boolean move(
      NameNodeHost host, StripeIndex index, Entry seen, int member, String home)
      throws IOException {
    synchronized (index) {
      Optional<Entry> present = index.published(seen.id());
      if (present.isEmpty()
          || !present.get().stripe().equals(seen.stripe())
          || !seen.stripe().isSupported()) {
        return false;
      }
      boolean awaited = index.isAwaited(seen.id());
      write(host, index, seen.path(), seen.stripe().withHomes(Map.of(member, home)));
      if (!awaited) {
        index.trimmed(seen.id());
      }
      return true;
    }
  }
}
