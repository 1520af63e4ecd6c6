/** Braid on an HDFS with Kerberos. The tests run in JVMs of their own: a JVM has one realm. */
@NullMarked
package org.braid.hdfs.secure;

import org.jspecify.annotations.NullMarked;
