package org.braid.lab.namespace;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.braid.experiment.ExperimentException;

/**
 * A file system in memory for each of some directories, inside the namespaces of a lab. The kernel
 * answers writers with ENOSPC while it has no room; files that are there can be read and deleted.
 */
public final class OwnDisks {
  /**
   * Files may grow between measuring and the change, which the kernel then refuses. What is deleted
   * in between stays free.
   */
  private static final String SHRINK =
      """
      for attempt in 1 2 3 4 5 6 7 8 9; do
        set -- $(stat --file-system --format="$FORMAT" "$DISK")
        mount -o remount,$OPTION=$((($1 - $2) * $3)) "$DISK" && exit 0
      done 2>/dev/null
      echo "the files in $DISK grow all the time"
      exit 1
      """;

  private final Namespaces space;

  /** Disks inside the namespaces of a lab. */
  public OwnDisks(Namespaces space) {
    this.space = space;
  }

  /** Gives each directory a disk with so many bytes, before anything is written there. */
  public void mount(List<Path> directories, long room)
      throws ExperimentException, InterruptedException {
    space.run(
        directories.stream()
            .map(
                directory ->
                    "mkdir '%1$s' && mount -t tmpfs -o mode=755,size=%2$d braid-lab '%1$s' || exit\n"
                        .formatted(directory, room))
            .collect(Collectors.joining()));
  }

  /** Takes all room that files do not use. */
  public void fill(Path disk) throws ExperimentException, InterruptedException {
    shrink(disk, "size", "%b %f %S");
  }

  /** Makes the creation of files fail while the disk still reports free room. */
  public void refuseFiles(Path disk) throws ExperimentException, InterruptedException {
    shrink(disk, "nr_inodes", "%c %d 1");
  }

  private void shrink(Path disk, String option, String format)
      throws ExperimentException, InterruptedException {
    space.run("DISK='%s' OPTION=%s FORMAT='%s'\n%s".formatted(disk, option, format, SHRINK));
  }

  /** Gives a disk room again. */
  public void free(Path disk, long room) throws ExperimentException, InterruptedException {
    space.run("mount -o remount,size=%1$d,nr_inodes=%1$d '%2$s'\n".formatted(room, disk));
  }
}
