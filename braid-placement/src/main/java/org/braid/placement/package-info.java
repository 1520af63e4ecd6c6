/**
 * The second noun: a placement is a flow from blocks over nodes to racks and sites. This package
 * describes clusters. {@code flow} computes maximum flows; {@code rule} says where the blocks of
 * encoded stripes may be, {@code lrc} and {@code site} say it for codes with local groups and for
 * sites; {@code replication} places replicas before encoding; {@code grouping} forms stripes of
 * stored blocks.
 */
@NullMarked
package org.braid.placement;

import org.jspecify.annotations.NullMarked;
