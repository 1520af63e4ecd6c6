package org.braid.hadooptests;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The files that Hadoop's tests read, which Hadoop's build puts next to the classes, and the
 * configuration of each side.
 */
final class TestFiles {
  private static final String SITE = "hdfs-site.xml";

  private final Path hadoop;
  private final Path braid;

  private TestFiles(Path hadoop, Path braid) {
    this.hadoop = hadoop;
    this.braid = braid;
  }

  /**
   * Unpacks them.
   *
   * @param sources the jar of the sources of Hadoop's tests, which has their files, too
   * @param directory where to
   */
  static TestFiles unpack(Path sources, Path directory) throws IOException {
    Path hadoop = directory.resolve("hadoop");
    try (JarFile jar = new JarFile(sources.toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        Path target = hadoop.resolve(entry.getName()).normalize();
        if (entry.isDirectory()
            || entry.getName().endsWith(".java")
            || !target.startsWith(hadoop)) {
          continue;
        }
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        try (InputStream content = jar.getInputStream(entry)) {
          Files.copy(content, target, StandardCopyOption.REPLACE_EXISTING);
        }
        // Tests run the scripts among them.
        if (target.toString().endsWith(".sh") && !target.toFile().setExecutable(true)) {
          throw new IOException(target + " cannot be made executable");
        }
      }
    }
    Path braid = Files.createDirectories(directory.resolve("braid"));
    writeSite(hadoop.resolve(SITE), braid.resolve(SITE));
    return new TestFiles(hadoop, braid);
  }

  /** The directory that Hadoop's tests take their files from. */
  Path hadoop() {
    return hadoop;
  }

  /** The first entries of the class path of a side. */
  List<Path> first(TestedHdfs side) {
    return side == TestedHdfs.BRAID ? List.of(braid, hadoop) : List.of(hadoop);
  }

  /** The settings of Braid's install script, as a file of Hadoop's. */
  static byte[] settings() throws IOException {
    try (InputStream ours = Objects.requireNonNull(TestFiles.class.getResourceAsStream(SITE))) {
      return ours.readAllBytes();
    }
  }

  /** Adds what Braid's install script sets to the configuration of Hadoop's tests. */
  private static void writeSite(Path stock, Path target) throws IOException {
    try {
      Document site = parse(Files.newInputStream(stock));
      NodeList properties =
          parse(new ByteArrayInputStream(settings())).getElementsByTagName("property");
      Element root = site.getDocumentElement();
      for (int i = 0; i < properties.getLength(); i++) {
        root.appendChild(site.importNode(properties.item(i), true));
      }
      TransformerFactory.newInstance()
          .newTransformer()
          .transform(new DOMSource(site), new StreamResult(target.toFile()));
    } catch (TransformerException failed) {
      throw new IOException(target + " cannot be written", failed);
    }
  }

  private static Document parse(InputStream content) throws IOException {
    try (content) {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(content);
    } catch (ParserConfigurationException | SAXException failed) {
      throw new IOException("the configuration of Hadoop's tests cannot be read", failed);
    }
  }
}
