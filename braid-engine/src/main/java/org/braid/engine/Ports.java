package org.braid.engine;

import java.io.IOException;
import org.braid.code.SubBlock;

/** The reads, streams and stores of the node that runs a fragment. */
public interface Ports {
  /** Opens a local sub-block for reading. */
  SliceSource read(SubBlock source) throws IOException;

  /** Opens the receiving end of a stream. */
  SliceSource receive(int stream, int from) throws IOException;

  /** Opens the sending end of a stream. */
  SliceSink send(int stream, int to) throws IOException;

  /** Opens a sub-block for storing. */
  SliceSink store(SubBlock target) throws IOException;
}
