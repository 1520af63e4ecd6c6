package org.braid.hdfs.namenode.calls;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.jspecify.annotations.Nullable;

/**
 * Walks through a file, or a directory and all files below it, depth first. The lock may be
 * released between two steps: the walk continues behind the name where it stopped.
 */
final class TreeCursor {
  /** How far a directory was looked at: behind a name. */
  private record Place(long inode, byte @Nullable [] last) {}

  private final FSDirectory directory;
  private final Deque<Place> places = new ArrayDeque<>();
  private @Nullable INode top;

  TreeCursor(FSDirectory directory, INode top) {
    this.directory = directory;
    this.top = top;
  }

  /** The next file or directory, the top first; empty at the end. The lock is held. */
  Optional<INode> next() {
    INode first = top;
    if (first != null) {
      top = null;
      return Optional.of(entered(first));
    }
    while (!places.isEmpty()) {
      Optional<INode> child = advance(places.pop());
      if (child.isPresent()) {
        return Optional.of(entered(child.get()));
      }
    }
    return Optional.empty();
  }

  private INode entered(INode inode) {
    if (inode.isDirectory()) {
      places.push(new Place(inode.getId(), null));
    }
    return inode;
  }

  /** To the next entry of a directory. */
  private Optional<INode> advance(Place place) {
    INode inode = directory.getInode(place.inode());
    if (inode == null || !inode.isDirectory()) {
      return Optional.empty(); // removed meanwhile
    }
    ReadOnlyList<INode> children = inode.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID);
    int next = 0;
    if (place.last() != null) {
      int found = ReadOnlyList.Util.binarySearch(children, place.last());
      next = found >= 0 ? found + 1 : -found - 1;
    }
    if (next >= children.size()) {
      return Optional.empty();
    }
    INode child = children.get(next);
    places.push(new Place(place.inode(), child.getLocalNameBytes()));
    return Optional.of(child);
  }
}
