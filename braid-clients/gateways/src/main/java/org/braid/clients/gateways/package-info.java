/** HDFS's gateways as programs that need no services of the machine. */
package org.braid.clients.gateways;
