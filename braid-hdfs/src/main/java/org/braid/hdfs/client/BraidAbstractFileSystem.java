package org.braid.hdfs.client;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * {@link BraidFileSystem} for FileContext, which does not ask {@code fs.hdfs.impl}; set it as
 * {@code fs.AbstractFileSystem.hdfs.impl}. Does all that HDFS's own twin does.
 */
public final class BraidAbstractFileSystem extends DelegateToFileSystem {

  private final BraidFileSystem braid;

  /** Called by Hadoop, by reflection. */
  public BraidAbstractFileSystem(URI uri, Configuration conf)
      throws IOException, URISyntaxException {
    this(uri, new BraidFileSystem(), conf);
  }

  private BraidAbstractFileSystem(URI uri, BraidFileSystem braid, Configuration conf)
      throws IOException, URISyntaxException {
    super(uri, braid, conf, HdfsConstants.HDFS_URI_SCHEME, true);
    this.braid = braid;
  }

  @Override
  @SuppressWarnings("deprecation") // the only rename that overwrites
  public void renameInternal(Path src, Path dst, boolean overwrite) throws IOException {
    braid.rename(src, dst, overwrite ? Options.Rename.OVERWRITE : Options.Rename.NONE);
  }

  @Override
  public RemoteIterator<FileStatus> listStatusIterator(Path f) throws IOException {
    return fsImpl.listStatusIterator(f);
  }

  @Override
  public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path f) throws IOException {
    return fsImpl.listLocatedStatus(f);
  }

  @Override
  public RemoteIterator<Path> listCorruptFileBlocks(Path path) throws IOException {
    return fsImpl.listCorruptFileBlocks(path);
  }

  @Override
  public void msync() throws IOException {
    fsImpl.msync();
  }

  @Override
  public void access(Path path, FsAction mode) throws IOException {
    fsImpl.access(path, mode);
  }

  @Override
  public void modifyAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
    fsImpl.modifyAclEntries(path, aclSpec);
  }

  @Override
  public void removeAclEntries(Path path, List<AclEntry> aclSpec) throws IOException {
    fsImpl.removeAclEntries(path, aclSpec);
  }

  @Override
  public void removeDefaultAcl(Path path) throws IOException {
    fsImpl.removeDefaultAcl(path);
  }

  @Override
  public void removeAcl(Path path) throws IOException {
    fsImpl.removeAcl(path);
  }

  @Override
  public void setAcl(Path path, List<AclEntry> aclSpec) throws IOException {
    fsImpl.setAcl(path, aclSpec);
  }

  @Override
  public AclStatus getAclStatus(Path path) throws IOException {
    return fsImpl.getAclStatus(path);
  }

  @Override
  public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flag)
      throws IOException {
    fsImpl.setXAttr(path, name, value, flag);
  }

  @Override
  public byte[] getXAttr(Path path, String name) throws IOException {
    return fsImpl.getXAttr(path, name);
  }

  @Override
  public Map<String, byte[]> getXAttrs(Path path) throws IOException {
    return fsImpl.getXAttrs(path);
  }

  @Override
  public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
    return fsImpl.getXAttrs(path, names);
  }

  @Override
  public List<String> listXAttrs(Path path) throws IOException {
    return fsImpl.listXAttrs(path);
  }

  @Override
  public void removeXAttr(Path path, String name) throws IOException {
    fsImpl.removeXAttr(path, name);
  }

  @Override
  public Path createSnapshot(Path path, String snapshotName) throws IOException {
    return fsImpl.createSnapshot(path, snapshotName);
  }

  @Override
  public void renameSnapshot(Path path, String oldName, String newName) throws IOException {
    fsImpl.renameSnapshot(path, oldName, newName);
  }

  @Override
  public void deleteSnapshot(Path snapshotDir, String snapshotName) throws IOException {
    fsImpl.deleteSnapshot(snapshotDir, snapshotName);
  }

  @Override
  public void satisfyStoragePolicy(Path path) throws IOException {
    fsImpl.satisfyStoragePolicy(path);
  }

  @Override
  public void setStoragePolicy(Path path, String policyName) throws IOException {
    fsImpl.setStoragePolicy(path, policyName);
  }

  @Override
  public void unsetStoragePolicy(Path src) throws IOException {
    fsImpl.unsetStoragePolicy(src);
  }

  @Override
  public BlockStoragePolicySpi getStoragePolicy(Path src) throws IOException {
    return fsImpl.getStoragePolicy(src);
  }

  @Override
  public Collection<? extends BlockStoragePolicySpi> getAllStoragePolicies() throws IOException {
    return fsImpl.getAllStoragePolicies();
  }

  @Override
  public Path getEnclosingRoot(Path path) throws IOException {
    return fsImpl.getEnclosingRoot(path);
  }
}
