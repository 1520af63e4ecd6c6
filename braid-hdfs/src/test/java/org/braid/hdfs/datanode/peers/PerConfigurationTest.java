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

  @Test
  void oneIsMadeForAsLongAsTheConfigurationStays() throws IOException {
    Made first = per.get();
    present.set("dfs.nameservices", "changed where it stands");
    assertSame(first, per.get());
    assertSame(present, first.by);
  }

  @Test
  void anotherConfigurationHasOneOfItsOwn() throws IOException {
    Made first = per.get();
    present = new Configuration(false);
    Made second = per.get();
    assertNotSame(first, second);
    assertSame(present, second.by);
    assertFalse(first.closed, "what writes with it goes on");
    present = new Configuration(false);
    Made third = per.get();
    assertTrue(first.closed, "there are never more than two");
    assertFalse(second.closed);
    per.close();
    assertTrue(second.closed);
    assertTrue(third.closed);
  }

  @Test
  void whatCannotBeMadeIsMadeLater() throws IOException {
    fails = true;
    assertThrows(IOException.class, per::get);
    fails = false;
    Made first = per.get();
    present = new Configuration(false);
    fails = true;
    assertThrows(IOException.class, per::get);
    fails = false;
    assertSame(present, per.get().by);
    assertFalse(first.closed);
  }

  @Test
  void noneIsMadeForADataNodeThatStops() throws IOException {
    per.close();
    IOException refused = assertThrows(IOException.class, per::get);
    assertEquals("the DataNode is stopping", refused.getMessage());
  }
}
