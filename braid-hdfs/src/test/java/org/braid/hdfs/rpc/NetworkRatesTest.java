package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.braid.plan.cost.Network;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NetworkRatesTest {
  private static Network.Rates rates(String link, String oversubscription, String site) {
    Configuration conf = new Configuration(false);
    conf.set("braid.network.link", link);
    conf.set("braid.network.oversubscription", oversubscription);
    conf.set("braid.network.site-link", site);
    return NetworkRates.of(conf);
  }

  @Test
  void areTheUsualOnesUnlessConfigured() {
    assertEquals(Network.Rates.DEFAULT, NetworkRates.of(new Configuration(false)));
    assertEquals(new Network.Rates(1e8, 2.5, 1 << 20), rates("100000000", "2.5", "1m"));
    assertEquals(new Network.Rates(1e8, 1), rates("100000000", "1", "0"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1, braid.network.link = 0",
    "1, 0.5, 1, braid.network.oversubscription = 0.5",
    "1, NaN, 1, braid.network.oversubscription = NaN",
    "1, Infinity, 1, oversubscription Infinity",
    "1, 1, -5, braid.network.site-link = -5"
  })
  void refuseWhatMovesNothing(String link, String ratio, String site, String message) {
    String refusal =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> rates(link, ratio, site))
                .getMessage());
    assertTrue(refusal.contains(message), refusal);
  }
}
