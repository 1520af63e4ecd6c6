package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.Test;

final class DirectReadsTest {
  @Test
  void theWordIsTheLastOneWhateverStandsBefore() {
    assertTrue(DirectReads.isDirect("braid-direct"));
    assertTrue(DirectReads.isDirect("spark_1,braid-direct"));
    assertTrue(DirectReads.isDirect("clientIp:10.0.0.1,clientPort:1,braid-direct"));
    assertTrue(DirectReads.isDirect("clientIp:10.0.0.1;clientPort:1;braid-direct"));
    for (String separator : List.of("#", "&", "~", "/", ", ")) {
      String context = "clientIp:10.0.0.1" + separator + "braid-direct";
      assertTrue(DirectReads.isDirect(context), context);
    }
    assertFalse(DirectReads.isDirect("not-braid-direct"));
    assertFalse(DirectReads.isDirect("xbraid-direct"));
    assertFalse(DirectReads.isDirect("braid-direct,clientIp:10.0.0.1"));
    assertFalse(DirectReads.isDirect(""));
  }

  @Test
  void aCallIsMarkedAndNothingAfterIt() throws IOException {
    CallerContext.setCurrent(new CallerContext.Builder("spark_1").build());
    try {
      assertEquals(true, DirectReads.<Boolean>run(DirectReads::isDirect));
      assertFalse(DirectReads.isDirect());
      assertEquals("spark_1", CallerContext.getCurrent().getContext());
    } finally {
      CallerContext.setCurrent(null);
    }
  }
}
