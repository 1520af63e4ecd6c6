/** A program that reads files in every way that Hadoop's clients have. */
package org.braid.clients.probe;
