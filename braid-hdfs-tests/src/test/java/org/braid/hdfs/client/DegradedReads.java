package org.braid.hdfs.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.hdfs.testing.StripeFixture.Converted;
import org.braid.hdfs.testing.StripeFixture.Stripe;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose nodes stop, and converted files there that are read nevertheless. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DegradedReads {
  /** Two stripes, the second with a single, short data block. */
  static final int SIZE = 3 * ClientFixture.BLOCK + 40_001;

  final Random random = Seeds.random(getClass());
  ClientFixture fixture;
  private int files;

  /** A code of 3 data blocks and 2 parities. */
  String code() {
    return ClientFixture.CODE;
  }

  @BeforeAll
  final void start(@TempDir Path directory) throws IOException {
    fixture = new ClientFixture(directory, Map.of(), code());
  }

  @AfterEach
  final void heal() throws IOException {
    InjectedFaults.clear();
    fixture.heal();
  }

  @AfterAll
  final void stop() throws IOException {
    fixture.close();
  }

  record Written(Converted file, byte[] content) {
    org.apache.hadoop.fs.Path path() {
      return file.path();
    }

    Stripe stripe(int index) {
      return file.stripes().get(index);
    }
  }

  final Written write() throws IOException {
    byte[] content = ClientFixture.content(random, SIZE);
    return new Written(fixture.stripes.write("/file" + ++files, content), content);
  }

  static String message(Exception e) {
    return String.valueOf(e.getMessage());
  }
}
