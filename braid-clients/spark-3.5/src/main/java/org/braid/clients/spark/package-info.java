/** A job of Spark that reads files of several formats. */
package org.braid.clients.spark;
