package org.braid.hdfs.rpc;

import org.apache.hadoop.conf.Configuration;
import org.braid.plan.cost.Network;

/** The configured rates of links, by which commands and clients compare the costs of plans. */
public final class NetworkRates {
  /** Property: bytes a second of a node's link, in each direction. */
  public static final String LINK_KEY = "braid.network.link";

  /**
   * Property: sum of the rates of the links of a rack's nodes, divided by the rate of the rack's
   * uplink.
   */
  public static final String OVERSUBSCRIPTION_KEY = "braid.network.oversubscription";

  /** Property: bytes a second of a site's link to other sites; 0 for no limit. */
  public static final String SITE_KEY = "braid.network.site-link";

  private NetworkRates() {}

  /**
   * The rates in a configuration.
   *
   * @throws IllegalArgumentException when a value is invalid; names the property
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
