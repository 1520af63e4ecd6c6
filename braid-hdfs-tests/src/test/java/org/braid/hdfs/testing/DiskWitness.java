package org.braid.hdfs.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Records which files this process really forces to disk, by the JVM's own flight recorder. */
public final class DiskWitness implements AutoCloseable {
  private static final String FORCE = "jdk.FileForce";
  private static final String MARK = "org.braid.Mark";

  private final Recording recording = new Recording();

  /** A moment between others. */
  @Name(MARK)
  private static final class Mark extends Event {
    @SuppressWarnings("UnusedVariable") // the recorder reads it
    final String text;

    Mark(String text) {
      this.text = text;
    }
  }

  public DiskWitness() {
    recording.enable(FORCE).withThreshold(Duration.ZERO).withoutStackTrace();
    recording.enable(MARK).withThreshold(Duration.ZERO).withoutStackTrace();
    recording.start();
  }

  /** Notes a moment. */
  public void mark(String text) {
    new Mark(text).commit();
  }

  /** The files that had been forced when a moment was first noted. */
  public Set<String> forcedBefore(String mark) throws IOException {
    List<RecordedEvent> events = events();
    RecordedEvent end =
        events.stream()
            .filter(e -> e.getEventType().getName().equals(MARK))
            .filter(e -> e.getString("text").equals(mark))
            .findFirst()
            .orElseThrow(() -> new IOException("never reached: " + mark));
    return events.stream()
        .filter(e -> e.getEventType().getName().equals(FORCE))
        .filter(e -> e.getString("path") != null && e.getEndTime().isBefore(end.getStartTime()))
        .map(e -> e.getString("path"))
        .collect(Collectors.toSet());
  }

  private List<RecordedEvent> events() throws IOException {
    Path file = Files.createTempFile("braid-witness", ".jfr");
    try {
      recording.dump(file);
      List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(file));
      events.sort(Comparator.comparing(RecordedEvent::getStartTime));
      return events;
    } finally {
      Files.delete(file);
    }
  }

  @Override
  public void close() {
    recording.close();
  }
}
