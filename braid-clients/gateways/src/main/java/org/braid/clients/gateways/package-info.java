/** HDFS's gateways as programs that need nothing of the machine. */
package org.braid.clients.gateways;
