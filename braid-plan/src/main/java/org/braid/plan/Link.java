package org.braid.plan;

/** A directed pair of nodes that values move between. */
public record Link(int from, int to) {}
