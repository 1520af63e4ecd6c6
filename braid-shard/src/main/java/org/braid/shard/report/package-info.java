/** What encoding, decoding and repair tell their caller: states of shards, progress, refusals. */
@NullMarked
package org.braid.shard.report;

import org.jspecify.annotations.NullMarked;
