package org.braid.hdfs.client.readahead;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What options on reading say. */
final class ReadHintsTest {
  /** Programs that were built with some releases of Hadoop give lengths as floating point. */
  @ParameterizedTest
  @CsvSource({
    "134217728, 134217728",
    "-1, 9223372036854775807",
    "1.34217728E8, 9223372036854775807",
    "all, 9223372036854775807"
  })
  void anEndThatIsNoNumberIsNoHint(String said, long end) {
    Configuration options = new Configuration(false);
    options.set(OpenFileOptions.FS_OPTION_OPENFILE_SPLIT_END, said);
    assertEquals(end, ReadHints.of(options).end());
  }
}
