package org.braid.placement.site;

import java.util.random.RandomGenerator;
import org.braid.placement.PlacementException;

/** A way to place stripes over sites. */
public interface SitePolicy {
  /** The name on command lines. */
  String name();

  /** What it does, in one line. */
  String description();

  /** Where it is described. */
  String source();

  /**
   * Places one stripe.
   *
   * @throws PlacementException when the blocks find no places
   */
  SiteLayout place(SiteRequest request, RandomGenerator random);
}
