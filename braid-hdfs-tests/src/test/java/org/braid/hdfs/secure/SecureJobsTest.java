package org.braid.hdfs.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.secure.SecureYarn.Submitted;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Jobs on YARN with Kerberos read lost blocks: their containers have tokens and no tickets. */
@Tag("kerberos")
@EnabledIfSystemProperty(named = "braid.long", matches = "true")
final class SecureJobsTest {
  private static final String INPUT = "/jobs-input";
  private static final String FILE = INPUT + "/f";

  private static SecureCluster cluster;
  private static UserGroupInformation alice;
  private static byte[] text;
  private static SecureYarn yarn;
  private static Submitted ofAlice;
  private static Submitted ofEve;

  @BeforeAll
  static void loseNode() throws Exception {
    cluster = SecureCluster.shared();
    alice = cluster.realm.user("alice");
    yarn = SecureYarn.start(cluster);
    text = lines(Seeds.random(SecureJobsTest.class), 6 * SecureCluster.BLOCK);
    SecureCluster.as(
        alice,
        () -> {
          cluster.write(FILE, text);
          cluster.restrict(FILE);
        });
    cluster.convert(FILE);
    cluster.hdfs.stopNode(cluster.nodeOf(FILE));
    // Most of the time of jobs is waiting.
    ofAlice = yarn.submit("alice", INPUT, "/alice-copy");
    ofEve = yarn.submit("eve", INPUT, "/eve-copy");
  }

  @AfterAll
  static void heal() throws Exception {
    if (yarn != null) {
      yarn.close();
    }
    cluster.heal();
  }

  private static byte[] lines(Random random, int bytes) {
    byte[] content = new byte[bytes / 4 * 3];
    random.nextBytes(content);
    String lines = Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(content);
    return (lines + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  private static long counted(List<String> job, String counter) {
    String line = CopyJob.line(CopyJob.READ, counter);
    return job.stream()
        .filter(said -> said.startsWith(line))
        .mapToLong(said -> Long.parseLong(said.substring(line.length())))
        .sum();
  }

  @Test
  void taskReadsLostBlocksWithTokensAlone() throws Exception {
    List<String> job = ofAlice.end();
    assertThat(job).startsWith("SUCCEEDED");
    assertThat(job)
        .filteredOn(line -> line.startsWith(CopyJob.IDENTITY))
        .containsExactlyInAnyOrder(
            CopyJob.line(CopyJob.IDENTITY, "user alice") + 1,
            CopyJob.line(CopyJob.IDENTITY, "task SIMPLE") + 1,
            CopyJob.line(CopyJob.IDENTITY, "process SIMPLE") + 1,
            CopyJob.line(CopyJob.IDENTITY, "token HDFS_DELEGATION_TOKEN") + 1,
            CopyJob.line(CopyJob.IDENTITY, "token mapreduce.job") + 1);
    assertThat(counted(job, "braid_degraded_bytes")).isGreaterThanOrEqualTo(SecureCluster.BLOCK);
    SecureCluster.as(
        alice,
        () -> {
          try (FileSystem fs = cluster.plain();
              FSDataInputStream in = fs.open(new Path("/alice-copy/part-m-00000"))) {
            assertArrayEquals(text, in.readAllBytes());
          }
        });
  }

  @Test
  void taskOfWhoMayNotReadIsRefused() throws Exception {
    List<String> job = ofEve.end();
    assertThat(job).startsWith("FAILED");
    assertThat(job)
        .anyMatch(
            line -> line.contains("Permission denied: user=eve, access=READ, inode=\"" + FILE));
  }
}
