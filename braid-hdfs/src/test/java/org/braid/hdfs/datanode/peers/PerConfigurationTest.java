package org.braid.hdfs.datanode.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** What is made anew when a DataNode is told of other NameNodes. */
final class PerConfigurationTest {
  private Configuration present = new Configuration(false);
  private boolean fails;

  private static final class Made implements Closeable {
    private final Configuration by;
    private boolean closed;

    Made(Configuration by) {
      this.by = by;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private final PerConfiguration<Made> per =
      new PerConfiguration<>(
          () -> present,
          conf -> {
            if (fails) {
              throw new IOException("none");
            }
            return new Made(conf);
          });

  /** What is used without being held any longer. */
  private Made used() throws IOException {
    try (PerConfiguration.Held<Made> held = per.hold()) {
      return held.one();
    }
  }

  private Made usedAfterAnotherConfiguration() throws IOException {
    present = new Configuration(false);
    return used();
  }

  @Test
  void oneIsMadeForAsLongAsTheConfigurationStays() throws IOException {
    Made first = used();
    present.set("dfs.nameservices", "changed where it stands");
    assertSame(first, used());
    assertSame(present, first.by);
    assertFalse(first.closed);
  }

  @Test
  void anotherConfigurationHasOneOfItsOwn() throws IOException {
    Made first = used();
    Made second = usedAfterAnotherConfiguration();
    assertNotSame(first, second);
    assertSame(present, second.by);
    assertTrue(first.closed, "nobody uses it");
    assertFalse(second.closed);
    per.close();
    assertTrue(second.closed);
  }

  /** Parity may be written for long: its file could not be completed by a client that is closed. */
  @Test
  void whatIsInUseStaysOpenHoweverOftenTheConfigurationIsReplaced() throws IOException {
    PerConfiguration.Held<Made> one = per.hold();
    PerConfiguration.Held<Made> other = per.hold();
    Made first = one.one();
    assertSame(first, other.one());
    Made second = usedAfterAnotherConfiguration();
    Made third = usedAfterAnotherConfiguration();
    assertFalse(first.closed, "what writes with it goes on");
    assertTrue(second.closed, "nobody uses it");
    one.close();
    one.close();
    assertFalse(first.closed, "the other one goes on");
    other.close();
    assertTrue(first.closed);
    assertFalse(third.closed);
  }

  @Test
  void nothingInUseIsOpenWhenTheDataNodeStops() throws IOException {
    try (PerConfiguration.Held<Made> first = per.hold()) {
      Made second = usedAfterAnotherConfiguration();
      per.close();
      assertTrue(first.one().closed);
      assertTrue(second.closed);
    }
  }

  @Test
  void whatCannotBeMadeIsMadeLater() throws IOException {
    fails = true;
    assertThrows(IOException.class, per::hold);
    fails = false;
    Made first = used();
    present = new Configuration(false);
    fails = true;
    assertThrows(IOException.class, per::hold);
    assertFalse(first.closed);
    fails = false;
    assertSame(present, used().by);
  }

  @Test
  void noneIsMadeForADataNodeThatStops() throws IOException {
    per.close();
    IOException refused = assertThrows(IOException.class, per::hold);
    assertEquals("the DataNode is stopping", refused.getMessage());
  }
}
