package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
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

  private static DirectoryListing page(int left, HdfsFileStatus... entries) {
    return new DirectoryListing(entries, left);
  }

  private static HdfsFileStatus entry(String name, long number) {
    return new HdfsFileStatus.Builder()
        .isdir(true)
        .path(name.getBytes(StandardCharsets.UTF_8))
        .fileId(number)
        .build();
  }

  private static List<String> mountsIn(Map<String, DirectoryListing> pages) throws IOException {
    return Routers.mountsIn(after -> pages.get(new String(after, StandardCharsets.UTF_8)));
  }

  /** As a router lists them: without a number, each on the page where its name belongs. */
  @Test
  void aListingShowsMounts() throws IOException {
    DirectoryListing first = page(3, entry("a", 16386), entry("b", 16390));
    assertEquals(
        List.of("c", "e"),
        mountsIn(Map.of("", first, "b", page(0, entry("c", 0), entry("d", 7), entry("e", 0)))));
    assertEquals(List.of(), mountsIn(Map.of("", first, "b", page(0, entry("c", 16391)))));
    assertEquals(List.of(), mountsIn(Map.of("", page(0))));
  }

  /** Whether there is such a path is asked after. */
  @Test
  void ofWhatIsNotThereNothingIsListed() throws IOException {
    assertEquals(List.of(), mountsIn(Map.of()));
    assertEquals(
        List.of(),
        Routers.mountsIn(
            after -> {
              throw new FileNotFoundException("/none");
            }));
  }
}
