package org.braid.hdfs.api;

import java.io.Serializable;

/**
 * A stretch of time in a report's time line.
 *
 * @param lane the row it is drawn in
 * @param name what happened
 * @param startSeconds since the work began
 * @param endSeconds since the work began
 */
public record Span(String lane, String name, double startSeconds, double endSeconds)
    implements Serializable {}
