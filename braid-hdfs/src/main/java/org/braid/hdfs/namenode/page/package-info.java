/**
 * The page {@code /braid} of the NameNode's own web server, and the same figures as {@code
 * /braid.json}: {@code PageGatherer} collects {@code PageFigures} from counters, {@code PageHtml}
 * and {@code PageJson} write them, and {@code BraidPage} keeps the history of a week.
 */
@NullMarked
package org.braid.hdfs.namenode.page;

import org.jspecify.annotations.NullMarked;
