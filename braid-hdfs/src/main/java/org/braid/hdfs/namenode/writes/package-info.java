/** Clients' writes to converted files that are under way, and their cuts' effect on quotas. */
@NullMarked
package org.braid.hdfs.namenode.writes;

import org.jspecify.annotations.NullMarked;
