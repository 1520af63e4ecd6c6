package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoutersTest {
  private static final URI ROUTER = URI.create("hdfs://router:8888");

  @Test
  void aRefusalNamesWhatToUseInstead() {
    assertEquals(
        "hdfs://router:8888 is a router, commands go to a NameNode: give -fs hdfs://one or -fs"
            + " hdfs://two:8020, with paths as they are there (hdfs dfsrouteradmin -ls tells)",
        Routers.refusal(ROUTER, List.of(URI.create("hdfs://one"), URI.create("hdfs://two:8020"))));
  }

  @Test
  void aConfigurationMayKnowNoNameNode() {
    assertEquals(
        "hdfs://router:8888 is a router, commands go to a NameNode: give -fs and the NameNode that"
            + " has the files, with paths as they are there (hdfs dfsrouteradmin -ls tells)",
        Routers.refusal(ROUTER, List.of()));
  }
}
