package org.braid.hdfs.rpc;

import org.apache.hadoop.conf.Configuration;
import org.braid.plan.cost.Network;

/**
 * How fast links are, as commands and clients are told; what their cost model compares plans by.
 */
public final class NetworkRates {
  /** Property: bytes a second of a node's link, in each direction. */
  public static final String LINK_KEY = "braid.network.link";

  /** Property: what the links of a rack's nodes add up to, over the rate of the rack's uplink. */
  public static final String OVERSUBSCRIPTION_KEY = "braid.network.oversubscription";

  /** Property: bytes a second of a site's link to the others; 0 for one that never limits. */
  public static final String SITE_KEY = "braid.network.site-link";

  private NetworkRates() {}

  /**
   * The rates of a configuration.
   *
   * @throws IllegalArgumentException when one of them cannot be; names the property
   */
  public static Network.Rates of(Configuration conf) {
    Network.Rates usual = Network.Rates.DEFAULT;
    long link = conf.getLongBytes(LINK_KEY, (long) usual.link());
    double ratio = conf.getDouble(OVERSUBSCRIPTION_KEY, usual.oversubscription());
    long site = conf.getLongBytes(SITE_KEY, 0);
    if (link < 1 || site < 0 || !(ratio >= 1)) {
      throw new IllegalArgumentException(
          "%s = %d, %s = %s, %s = %d: needed are at least 1 byte a second, a number of at least 1,"
                  .formatted(LINK_KEY, link, OVERSUBSCRIPTION_KEY, ratio, SITE_KEY, site)
              + " and bytes a second, or 0 for no limit");
    }
    return new Network.Rates(link, ratio, site == 0 ? Double.POSITIVE_INFINITY : site);
  }
}
