package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StripeAttribute;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** In which version stripes are described, and what becomes of those of other versions. */
final class StripeVersionsTest {
  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.of(4, 6, Map.of());

  /** As the NameNode has set it. */
  private static byte[] first;

  @BeforeAll
  static void prepare() throws Exception {
    first = fixture.fs.getXAttr(path(BraidPaths.ROOT), BraidPaths.FORMAT_XATTR);
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static void format(String version) throws Exception {
    fixture.fs.setXAttr(
        path(BraidPaths.ROOT),
        BraidPaths.FORMAT_XATTR,
        version.getBytes(StandardCharsets.UTF_8),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  private static byte[] attribute(StripeProto stripe) throws Exception {
    return fixture.fs.getXAttr(
        path(BraidPaths.stripePath(stripe.getId())), BraidPaths.STRIPE_XATTR);
  }

  private static StripeProto publish(String file) throws Exception {
    FileProto written = fixture.write(file, 2, 3);
    return fixture.publish("rs-2-1", written.getBlocksList(), x -> x);
  }

  private static StripeProto known(StripeProto stripe) throws Exception {
    return fixture.stripes(stripe.getMembers(0).getBlock().getId()).get(0).getStripe();
  }

  @Test
  void aNewClusterDescribesStripesInTheLatestVersion() throws Exception {
    String latest = String.valueOf(StripeAttribute.LATEST);
    assertEquals(latest, new String(first, StandardCharsets.UTF_8));
    format(latest); // whatever other tests have set
    StripeProto stripe = publish("/new");
    assertEquals(StripeAttribute.LATEST, StripeAttribute.version(attribute(stripe)));
    assertEquals(stripe, known(stripe));
    fixture.restart();
    assertEquals(stripe, known(stripe));
    assertEquals(List.of(), fixture.trim(stripe.getId()));
  }

  /** Earlier releases may have to read what is written until somebody says otherwise. */
  @Test
  void stripesAreDescribedAsAllReleasesReadThemUntilAnOperatorAllowsMore() throws Exception {
    format("1");
    StripeProto stripe = publish("/before");
    assertArrayEquals(stripe.toByteArray(), attribute(stripe));
    for (String unknown : new String[] {"", "two", "-2", "0"}) {
      format(unknown);
      assertEquals(1, StripeAttribute.version(attribute(publish("/unknown" + unknown))));
    }
    format("3"); // as a later release may say
    assertEquals(2, StripeAttribute.version(attribute(publish("/later"))));
    assertArrayEquals(stripe.toByteArray(), attribute(stripe));
    assertEquals(stripe, known(stripe));
  }

  @Test
  void aStripeIsDescribedAnewWhenItIsWrittenNext() throws Exception {
    format("1");
    StripeProto stripe = publish("/moving");
    format("2");
    fixture.put(BraidPaths.stripePath(stripe.getId()), stripe);
    assertEquals(1, StripeAttribute.version(attribute(stripe))); // there is nothing to write
    StripeProto.Builder moved = stripe.toBuilder();
    moved.getMembersBuilder(0).setHome(UUID.randomUUID().toString());
    fixture.put(BraidPaths.stripePath(stripe.getId()), moved.build());
    assertEquals(2, StripeAttribute.version(attribute(stripe)));
    assertEquals(moved.build(), known(stripe));
    format("1");
    fixture.put(BraidPaths.stripePath(stripe.getId()), stripe);
    assertArrayEquals(stripe.toByteArray(), attribute(stripe));
    assertEquals(stripe, known(stripe));
    format("2");
  }
}
