package org.braid.placement.site;

import java.util.random.RandomGenerator;
import org.braid.placement.PlacementException;

/** A policy that places stripes over sites. */
public interface SitePolicy {
  /** The name on command lines. */
  String name();

  /** The policy in one line. */
  String description();

  /** The paper and section that describe it. */
  String source();

  /**
   * Places one stripe.
   *
   * @throws PlacementException when the stripe does not fit
   */
  SiteLayout place(SiteRequest request, RandomGenerator random);
}
